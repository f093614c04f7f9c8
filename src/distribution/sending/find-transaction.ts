/**
 * Finds a finalized transaction in the history of an account. Anybody may name the account in transactions, so each call reads a
 * part of the history and the next call continues.
 */
import { base58, decodeTransaction } from 'levy-solana-wire';
import { type RunningSearch, type Search, startSearch } from '../../chain/history-search.ts';
import type { Chain, LandedTransaction } from '../../kernel/ports/chain.ts';

/** Maximum calls to the node within one step of a token. */
const CALLS_PER_STEP = 256;

interface HistorySearch {
  readonly running: RunningSearch;
  /** The newest suspect so far. */
  suspect: LandedTransaction | undefined;
}

/** Running searches, by the account whose history is read. Losing one repeats its calls. */
export type HistorySearches = Map<string, HistorySearch>;

interface SearchedTransaction {
  readonly address: string;
  /** Name of the search at this address; a different name restarts it. */
  readonly name: string;
  /** Signatures that are checked first. */
  readonly likely: readonly string[];
  matches(transaction: LandedTransaction): boolean;
  /** Transactions that count if the whole history contains no match. */
  suspects?(transaction: LandedTransaction): boolean;
}

/** The newest successful match; undefined if not found so far, which proves nothing. */
export async function findTransaction(
  chain: Pick<Chain, 'signaturesOf' | 'transaction'>,
  searches: HistorySearches,
  { address, name, likely, matches, suspects }: SearchedTransaction,
) {
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
    matches(transaction) {
      if (transaction.error !== undefined) return false;
      if (matches(transaction)) return true;
      if (suspects?.(transaction)) noteSuspect(searches.get(address), transaction);
      return false;
    },
  };
  const current =
    before?.running.search.name === search.name
      ? before
      : { running: startSearch(chain, search), suspect: undefined };
  searches.set(address, current);
  const turn = await current.running.advance(CALLS_PER_STEP);
  if (turn.kind === 'found') {
    searches.delete(address);
    return { signature: turn.signature, transaction: turn.transaction, isSuspect: false };
  }
  const { suspect } = current;
  if (turn.kind !== 'absent' || suspect === undefined) return undefined;
  return { signature: signatureOf(suspect), transaction: suspect, isSuspect: true };
}

function noteSuspect(search: HistorySearch | undefined, transaction: LandedTransaction): void {
  if (search === undefined) return;
  const { suspect } = search;
  if (suspect === undefined || transaction.slot > suspect.slot) search.suspect = transaction;
}

/** The first signature identifies a transaction. */
export function signatureOf({ wire }: Pick<LandedTransaction, 'wire'>): string {
  const decoded = decodeTransaction(wire);
  const first = decoded.ok ? decoded.transaction.signatures[0] : undefined;
  return first === undefined ? '' : base58(first);
}
