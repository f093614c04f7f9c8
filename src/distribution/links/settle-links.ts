/** Finds the transactions of permanently landed links, so that their signatures can be recorded. */
import { SYSTEM_PROGRAM } from 'levy-solana-wire';
import { instructionsIn } from '../../chain/landed-instructions.ts';
import { isAllocateWithSeed } from '../../chain/system-instructions.ts';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { ChainAccount, LandedTransaction } from '../../kernel/ports/chain.ts';
import type { LandedLinks, RecordedLink } from '../../streams/distribution.ts';
import { waitFor } from '../../streams/distribution-wait.ts';
import { isConfirmed } from '../absences.ts';
import { waitForNode, waits } from '../decision.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { findTransaction } from '../sending/find-transaction.ts';
import type { DrivenTill, TillProgress } from './judge-links.ts';

/** Name of the wallet's token account in `Absences`. */
export function accountName({ tokens }: Pick<DistributedToken, 'tokens'>): string {
  return `the account ${tokens}`;
}

export async function settleLinks(
  driven: DrivenTill,
  { path, lamports }: { readonly path: readonly RecordedLink[]; readonly lamports: bigint },
): Promise<TillProgress> {
  const { parts, memory, final } = driven;
  const { token, state } = driven.view;
  const account = final.accountOf(token.tokens);
  // The account may be absent only at the token's first link.
  const isHidden = state.till !== undefined && account === undefined;
  const reading = { slot: final.slot, at: parts.clock.now().getTime() };
  if (isHidden && !isConfirmed(memory.absences, accountName(token), reading))
    return waitForNode("the wallet's account of the token");
  memory.absences.delete(accountName(token));
  const links: LandedLinks['links'] = [];
  let latest = 0n;
  let after: LandedTransaction['tokensAfter'];
  for (const link of path) {
    const found = await transactionOf(driven, link);
    if (found === undefined) return waitForNode(`the transaction that created till ${link.number}`);
    links.push({ ...link, signature: found.signature, fee: found.transaction.fee.toString() });
    latest = BigInt(found.transaction.slot);
    after = found.transaction.tokensAfter;
  }
  const left = after?.get(path.at(-1)?.till ?? '');
  if (left === undefined) return waitForNode('the balance that the last link left in its till');
  // Until the next link spends the till, its balance can only grow, by donations. A lower one is from an earlier slot.
  if (lamports < left)
    return waits(
      waitFor(
        'chain-unavailable',
        `The chain node shows ${lamports} lamports in the till, fewer than the ${left} after its link.`,
      ),
    );
  for (const { till } of path) memory.links.delete(till);
  return {
    landed: {
      links,
      slot: recordedSlot(final.slot, latest).toString(),
      lamports: left.toString(),
      tokens: (after?.get(token.tokens) ?? tokensIn(account)).toString(),
    },
  };
}

/** Slots by which the recorded slot may exceed the transaction's, about an hour. */
const MAX_AHEAD = 10_000n;

/**
 * Bounds the recorded slot. Later reads must be at or after it, also after a restart and at other nodes, so a slot invented by
 * one node would block them.
 */
function recordedSlot(shown: bigint, landed: bigint): bigint {
  return shown > landed + MAX_AHEAD ? landed + MAX_AHEAD : shown;
}

async function transactionOf(
  { parts: { chain }, view: { token }, memory: { links, searches } }: DrivenTill,
  { till }: RecordedLink,
) {
  const own = links.get(till);
  return findTransaction(chain, searches, {
    address: till,
    name: 'what made the till',
    likely: own === undefined ? [] : [own.signature],
    matches: (landed) => isLinkTo(landed, till, token),
  });
}

function tokensIn(account: ChainAccount | undefined): bigint {
  return (account && readTokenAccount(account)?.amount) ?? 0n;
}

/** True if the transaction creates the till and is the service's own: the distributor pays, and the wallet signs. */
export function isLinkTo(
  { wire }: Pick<LandedTransaction, 'wire'>,
  till: string,
  token: DistributedToken,
): boolean {
  const landed = instructionsIn(wire);
  return (
    landed?.payer === token.distributor.address &&
    landed.signers.includes(token.wallet.address) &&
    landed.instructions.some(
      ({ program, accounts, data }) =>
        program === SYSTEM_PROGRAM && isAllocateWithSeed(data) && accounts[0] === till,
    )
  );
}
