/** Reads the books of a run from the chain before its close, also from a second node if there is one. */
import { addressBytes } from 'levy-solana-wire';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { DistributionState } from '../../streams/distribution.ts';
import { failureOfNode, isConfirmed } from '../absences.ts';
import { type Decision, halts, waitForNode } from '../decision.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { lamportsOfTill } from '../links/judge-links.ts';
import type { WitnessState } from '../services.ts';
import { type RunView, type StepAt, tillOf } from '../view.ts';

export interface LastBooks {
  readonly till: string;
  readonly lamports: bigint;
  readonly tokens: bigint;
}

/** Reads a missing account repeatedly before it counts as gone. */
export async function readBooksBeforeClose({
  parts,
  view,
  memory: { absences },
}: StepAt): Promise<{ readonly slot: bigint; readonly last: LastBooks } | Decision> {
  const { state, token } = view;
  const [tillName, accountName] = [`the till ${state.till?.address}`, `the account ${token.tokens}`];
  const { slot, till, lamports, tokens } = await readBooks(parts.chain, token, state, {
    elsewhere: absences.has(tillName) || absences.has(accountName),
  });
  const reading = { slot, at: parts.clock.now().getTime() };
  const isTillGone = lamports === undefined && isConfirmed(absences, tillName, reading);
  const isAccountGone = tokens === undefined && isConfirmed(absences, accountName, reading);
  if (lamports !== undefined) absences.delete(tillName);
  if (tokens !== undefined) absences.delete(accountName);
  if (isTillGone)
    return halts(
      'CHAIN_AHEAD_OF_LOG',
      `At slot ${slot} the till ${till} is gone, and no link after it was recorded.`,
    );
  if (isAccountGone)
    return halts('BOOKS_DISAGREE', `At slot ${slot} the wallet's account ${token.tokens} is gone.`);
  if (lamports === undefined) return waitForNode('the last till');
  if (tokens === undefined) return waitForNode("the wallet's account of the token");
  return { slot, last: { till, lamports, tokens } };
}

/** `lamports` or `tokens` is undefined if the node does not show that account. */
async function readBooks(
  chain: Pick<Chain, 'accountsAt'>,
  { wallet, tokens }: DistributedToken,
  state: Pick<DistributionState, 'till'>,
  options: { readonly elsewhere?: boolean } = {},
): Promise<{ readonly slot: bigint; readonly till: string } & Partial<Omit<LastBooks, 'till'>>> {
  const till = tillOf(state);
  const { slot, accounts } = await chain.accountsAt([till.address, tokens], 'finalized', {
    atLeastSlot: BigInt(till.slot),
    ...options,
  });
  const lamports = lamportsOfTill(accounts[0], addressBytes(wallet.address));
  const held = accounts[1] && readTokenAccount(accounts[1]);
  return {
    slot,
    till: till.address,
    ...(lamports === undefined ? {} : { lamports }),
    ...(held === undefined ? {} : { tokens: held.amount }),
  };
}

export type WitnessVerdict = Omit<WitnessState, 'since'>;

/** Recorded balances without donations, which the second node may not show yet. */
type LiableBooks = Pick<LastBooks, 'lamports' | 'tokens'>;

export async function askWitness(
  witness: Chain,
  view: Pick<RunView, 'state' | 'run' | 'token'>,
  due: LiableBooks,
): Promise<WitnessVerdict> {
  try {
    const detail = await disagreementOf(witness, view, due);
    return { state: detail === undefined ? 'agrees' : 'disagrees', detail };
  } catch (error) {
    return { state: 'silent', detail: failureOfNode(error) };
  }
}

/** Describes how the second node's balances or transactions differ; undefined if they agree. */
async function disagreementOf(
  witness: Chain,
  { state, run, token }: Pick<RunView, 'state' | 'run' | 'token'>,
  { lamports, tokens }: LiableBooks,
): Promise<string | undefined> {
  const seen = await readBooks(witness, token, state);
  if (seen.lamports === undefined || seen.tokens === undefined) return 'does not show the last till';
  if (seen.lamports < lamports) return `shows ${seen.lamports} lamports in the till instead of ${lamports}`;
  if (seen.tokens < tokens)
    return `shows ${seen.tokens} base units in the wallet's account instead of ${tokens}`;
  const signatures = [
    ...run.settled.map(({ signature }) => signature),
    ...state.landed.flatMap(({ links }) => links.map(({ signature }) => signature)),
  ];
  const statuses = await witness.statuses(signatures);
  const missing = signatures.find(
    (_signature, index) =>
      statuses[index]?.commitment !== 'finalized' || statuses[index]?.error !== undefined,
  );
  return missing && `does not show the transaction ${missing} as final`;
}
