/**
 * Searches for a landed transaction by its known signatures and in the history of an account. Anybody may name the account in
 * any number of transactions, so a search runs in slices of a few calls. Each slice continues where the last one ended. A
 * search always ends, because it reads only the slots of its window. `search-progress.ts` chooses the next action.
 */
import {
  type Chain,
  ChainAnswerInvalid,
  ChainUnavailable,
  type Commitment,
  type LandedTransaction,
} from '../kernel/ports/chain.ts';
import { afterKey, NO_KEYS } from './page-cycle.ts';
import {
  afterPage,
  afterRead,
  askedAgain,
  hasMore,
  NOT_BEGUN,
  nextAction,
  nextPass,
  restarted,
  type SearchAction,
  type SearchedHistory,
} from './search-progress.ts';

/** Failed continuations before the list is read from its beginning, because a fork may have removed its last entry. */
const TRIES_OF_A_PLACE = 3;

export interface Search {
  /** A search with the same name continues where it stopped. */
  readonly name: string;
  readonly commitment: Commitment;
  /** Signatures that are read in every slice, however long the history is. */
  readonly known: readonly string[];
  readonly history?: SearchedHistory;
  matches(transaction: LandedTransaction): boolean;
}

export type SearchOutcome =
  | { readonly kind: 'found'; readonly signature: string; readonly transaction: LandedTransaction }
  | {
      /** Every transaction of the window was read. Proves absence if the window is final and past. */
      readonly kind: 'absent';
      /** Known transactions that the node returned but that do not match. */
      readonly others: ReadonlyMap<string, LandedTransaction>;
    };

export type SearchSlice =
  | SearchOutcome
  /** More must be read. */
  | { readonly kind: 'more' }
  /** Everything was read, but the node did not return some listed transactions. */
  | { readonly kind: 'later'; readonly missing: readonly string[] };

export type RunningSearch = ReturnType<typeof startSearch>;

export function startSearch(chain: Pick<Chain, 'signaturesOf' | 'transaction'>, search: Search) {
  return new HistorySearch(chain, search);
}

class HistorySearch {
  readonly search: Search;
  readonly #chain: Pick<Chain, 'signaturesOf' | 'transaction'>;
  #progress = NOT_BEGUN;
  #calls = 0;
  #passes = 0;
  #misplaced = 0;
  /** Keys of listed pages since the start of the list, or since its last restart. */
  #keys = NO_KEYS;

  constructor(chain: Pick<Chain, 'signaturesOf' | 'transaction'>, search: Search) {
    this.#chain = chain;
    this.search = search;
  }

  /** Entries listed so far. */
  get listed(): number {
    return this.#progress.listed;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Number of complete passes without a match. */
  get passes(): number {
    return this.#passes;
  }

  /** Performs about `budget` calls. Rejects like the chain, and then retains its progress. */
  async advance(budget: number): Promise<SearchSlice> {
    const end = this.#calls + budget;
    const { known, history } = this.search;
    const { found, others } = await this.#ask(known);
    if (found !== undefined) return found;
    const absent: SearchOutcome = { kind: 'absent', others };
    if (history === undefined) {
      this.#passes += 1;
      return absent;
    }
    while (this.#calls < end) {
      const turn = await this.#step(history, absent);
      if (turn !== undefined) return turn;
    }
    return { kind: 'more' };
  }

  /** Outcome of the slice; undefined if the slice continues. */
  async #step(history: SearchedHistory, absent: SearchOutcome): Promise<SearchSlice | undefined> {
    const action = nextAction(this.#progress);
    switch (action.kind) {
      case 'list':
        await this.#list(history, action);
        return undefined;
      case 'read':
        return this.#read(action.signatures);
      case 'go-back':
        this.#keys = NO_KEYS;
        this.#progress = restarted(this.#progress);
        return undefined;
      case 'ask-again': {
        const { missing } = this.#progress;
        this.#progress = askedAgain(this.#progress);
        this.#passes += 1;
        return { kind: 'later', missing };
      }
      case 'end':
        this.#passes += 1;
        this.#keys = NO_KEYS;
        this.#progress = nextPass(this.#progress, this.#passes);
        return absent;
    }
  }

  async #list(
    { address, atLeastSlot, window, likelihood }: SearchedHistory,
    { before, limit }: Extract<SearchAction, { kind: 'list' }>,
  ): Promise<void> {
    this.#calls += 1;
    const { until } = this.#progress;
    const page = await this.#chain.signaturesOf(address, {
      commitment: this.search.commitment,
      limit,
      ...(before !== undefined && { before }),
      ...(until !== undefined && { until }),
      ...(atLeastSlot !== undefined && { atLeastSlot }),
    });
    if (!hasMore(this.#progress, page)) {
      this.#misplaced += 1;
      if (this.#misplaced % TRIES_OF_A_PLACE === 0) this.#restart();
      throw new ChainUnavailable('the chain node cannot continue its list of signatures at the last entry');
    }
    const last = page.at(-1)?.signature;
    const keys = last === undefined || page.length < limit ? this.#keys : afterKey(this.#keys, last);
    if (keys === undefined) {
      this.#restart();
      throw new ChainAnswerInvalid("the chain node's list of signatures repeats itself");
    }
    this.#keys = keys;
    this.#progress = afterPage(this.#progress, page, { window, likelihood });
  }

  /** Restarts the list at its beginning. */
  #restart(): void {
    this.#keys = NO_KEYS;
    this.#progress = { ...this.#progress, place: undefined };
  }

  async #read(signatures: readonly string[]): Promise<SearchOutcome | undefined> {
    const { found, others } = await this.#ask(signatures);
    if (found !== undefined) return found;
    const unshown = signatures.filter((signature) => !others.has(signature));
    this.#progress = afterRead(this.#progress, signatures.length, unshown);
    return undefined;
  }

  /** The first of these transactions that matches, and all other transactions that the node returned. */
  async #ask(signatures: readonly string[]): Promise<{
    readonly found?: Extract<SearchOutcome, { kind: 'found' }>;
    readonly others: ReadonlyMap<string, LandedTransaction>;
  }> {
    this.#calls += signatures.length;
    const shown = await Promise.all(
      signatures.map((signature) => this.#chain.transaction(signature, this.search.commitment)),
    );
    const others = new Map<string, LandedTransaction>();
    for (const [index, signature] of signatures.entries()) {
      const transaction = shown[index];
      if (transaction === undefined) continue;
      if (this.search.matches(transaction))
        return { found: { kind: 'found', signature, transaction }, others };
      others.set(signature, transaction);
    }
    return { others };
  }
}
