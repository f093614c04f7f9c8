/** Finds the transactions of permanently landed links, which are required to record them as landed. */
import { addressOf, decodeTransaction, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { isAllocateWithSeed } from '../../chain/system-instructions.ts';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { ChainAccount, LandedTransaction } from '../../kernel/ports/chain.ts';
import type { LandedLinks, RecordedLink } from '../../streams/distribution.ts';
import { waitFor } from '../../streams/distribution-wait.ts';
import { isConfirmed } from '../absences.ts';
import { notShown, waits } from '../decision.ts';
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
  // Only the first link of all may come before the account.
  const isHidden = state.till !== undefined && account === undefined;
  const look = { slot: final.slot, at: parts.clock.now().getTime() };
  if (isHidden && !isConfirmed(memory.absences, accountName(token), look))
    return notShown("the wallet's account of the token");
  memory.absences.delete(accountName(token));
  const links: LandedLinks['links'] = [];
  let latest = 0n;
  let after: LandedTransaction['tokensAfter'];
  for (const link of path) {
    const found = await transactionOf(driven, link);
    if (found === undefined) return notShown(`the transaction that made till ${link.number}`);
    links.push({ ...link, signature: found.signature, fee: found.transaction.fee.toString() });
    latest = BigInt(found.transaction.slot);
    after = found.transaction.tokensAfter;
  }
  const left = after?.get(path.at(-1)?.till ?? '');
  if (left === undefined) return notShown('what the last link left in its till');
  // Nothing leaves a till but by the next link. What strangers gave since moves on with that.
  if (lamports < left)
    return waits(
      waitFor(
        'chain-unavailable',
        `The chain node shows ${lamports} lamports in the till, and ${left} right behind its link.`,
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

/** Slots: some 40 minutes. */
const MOST_AHEAD = 10_000n;

/**
 * Nothing of the token is read any more from before the recorded slot. A slot that a node made up would be waited for, after a
 * restart and at other nodes too: so what is recorded is near the transactions themselves.
 */
function recordedSlot(shown: bigint, landed: bigint): bigint {
  return shown > landed + MOST_AHEAD ? landed + MOST_AHEAD : shown;
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

/** Only the service can have the distributor pay a transaction that the wallet signs, and this one makes the till. */
export function isLinkTo(
  { wire }: Pick<LandedTransaction, 'wire'>,
  till: string,
  token: DistributedToken,
): boolean {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok) return false;
  const { accountKeys, requiredSignatures, instructions } = decoded.transaction.message;
  const keys = accountKeys.map(addressOf);
  const signers = keys.slice(0, requiredSignatures);
  return (
    signers[0] === token.distributor.address &&
    signers.includes(token.wallet.address) &&
    instructions.some(
      ({ programIndex, accountIndexes, data }) =>
        keys[programIndex] === SYSTEM_PROGRAM &&
        isAllocateWithSeed(data) &&
        keys[accountIndexes[0] ?? -1] === till,
    )
  );
}
