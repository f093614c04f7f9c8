/**
 * Finds a finalized transaction in the history of an account. Anybody may name the account in transactions of their own: each
 * call reads a part, and the next one goes on where it stopped.
 */
import { beginSearch, type RunningSearch, type Search } from '../../chain/history-search.ts';
import type { Chain, LandedTransaction } from '../../kernel/ports/chain.ts';

/** Calls to the node within one step of a token. */
const CALLS_PER_STEP = 256;

/** Searches under way, by the account whose history is read. Forgetting one costs its calls once more. */
export type HistorySearches = Map<string, RunningSearch>;

export interface FoundTransaction {
  readonly signature: string;
  readonly transaction: LandedTransaction;
}

export interface WantedTransaction {
  readonly address: string;
  /** What is searched for at this address: with another name the search begins anew. */
  readonly name: string;
  /** Signatures that are checked first. */
  readonly likely: readonly string[];
  matches(transaction: LandedTransaction): boolean;
}

/** The newest that succeeded and that matches; undefined where there is none so far, which proves nothing. */
export async function findTransaction(
  chain: Pick<Chain, 'signaturesOf' | 'transaction'>,
  searches: HistorySearches,
  { address, name, likely, matches }: WantedTransaction,
): Promise<FoundTransaction | undefined> {
  const before = searches.get(address);
  const search: Search = {
    name: [name, ...likely].join(' '),
    commitment: 'finalized',
    known: likely,
    history: {
      address,
      window: { from: undefined, to: undefined },
      likelihood: ({ error }) => (error === undefined ? 'possible' : 'ruled-out'),
    },
    matches: (transaction) => transaction.error === undefined && matches(transaction),
  };
  const running = before?.search.name === search.name ? before : beginSearch(chain, search);
  searches.set(address, running);
  const turn = await running.turn(CALLS_PER_STEP);
  if (turn.kind !== 'found') return undefined;
  searches.delete(address);
  return turn;
}
