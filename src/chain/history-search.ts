/**
 * A search for a landed transaction, by the signatures that are known and in the history of an account. Anybody may name
 * the account in transactions of their own, in any form and number: a search is done in turns of a few calls, goes on
 * where it stopped, and has an end, since only the slots of its window are read. What to do next is pure.
 */
import {
  type Chain,
  ChainUnavailable,
  type Commitment,
  type HistoryEntry,
  type LandedTransaction,
} from '../ports/chain.ts';

/** Both inclusive; undefined where nothing bounds it. */
export interface SlotWindow {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** What the list by itself says of an entry. */
export type Likelihood = 'likely' | 'possible' | 'ruled-out';

export interface Search {
  /** As long as a search has this name, it goes on where it stopped. */
  readonly name: string;
  readonly commitment: Commitment;
  /** Asked for in every turn: nothing can bury them. */
  readonly known: readonly string[];
  readonly history?: SearchedHistory;
  matches(transaction: LandedTransaction): boolean;
}

export interface SearchedHistory {
  readonly address: string;
  readonly window: SlotWindow;
  /** As `Chain.signaturesOf`. */
  readonly atLeastSlot?: bigint;
  likelihood(entry: HistoryEntry): Likelihood;
}

export type SearchOutcome =
  | { readonly kind: 'found'; readonly signature: string; readonly transaction: LandedTransaction }
  | {
      /** Every transaction of the window was read. It proves absence where the window is final and past. */
      readonly kind: 'absent';
      /** The known ones that the node shows and that do not match. */
      readonly others: ReadonlyMap<string, LandedTransaction>;
    };

/** What was read of a history. */
export interface SearchProgress {
  readonly isListed: boolean;
  /** The last two entries of the latest page: the next page has to begin with the second. */
  readonly place: { readonly above: string; readonly last: string } | undefined;
  /** The newest entry that the pass before has listed: it read all that is older. */
  readonly until: string | undefined;
  readonly newest: string | undefined;
  /** Signatures still to be read. */
  readonly likely: readonly string[];
  readonly possible: readonly string[];
  /** At first the whole list is looked through for what is likely: nothing that is merely possible delays that. */
  readonly isSkimmed: boolean;
  /** From there on, what is possible was left out meanwhile. */
  readonly leftOut: SearchProgress['place'];
  /** Listed by the node and not shown: each may be the one. */
  readonly unshown: readonly string[];
  /** How many entries were listed in all passes. */
  readonly listed: number;
}

export type SearchAction =
  | { readonly kind: 'list'; readonly before: string | undefined; readonly limit: number }
  | { readonly kind: 'read'; readonly signatures: readonly string[] }
  /** To what was left out. */
  | { readonly kind: 'go-back' }
  /** All else was read: those that were not shown are to be asked for again, later. */
  | { readonly kind: 'ask-again' }
  | { readonly kind: 'end' };

export const NOT_BEGUN: SearchProgress = {
  isListed: false,
  place: undefined,
  until: undefined,
  newest: undefined,
  likely: [],
  possible: [],
  isSkimmed: false,
  leftOut: undefined,
  unshown: [],
  listed: 0,
};

/** A history that nobody floods has a few entries. */
const FIRST_PAGE = 100;
/** What nodes give at most. */
const PAGE = 1_000;
const READ_TOGETHER = 8;
/** More is left out at first, and not listed before some of it is read: the memory of a search is bounded. */
const MOST_UNREAD = 20_000;
/** A fork may have taken the place away: then the list is read from its beginning. */
const TRIES_OF_A_PLACE = 3;
/** Every so many passes of a search read all again: a node may have listed a transaction late, below newer ones. */
const PASSES_PER_FULL_ONE = 8;

export function nextAction(progress: SearchProgress): SearchAction {
  const { isListed, leftOut, place, likely, possible, unshown } = progress;
  if (likely.length > 0) return { kind: 'read', signatures: likely.slice(0, READ_TOGETHER) };
  if (!isListed && possible.length < MOST_UNREAD)
    return { kind: 'list', before: place?.above, limit: place === undefined ? FIRST_PAGE : PAGE };
  if (possible.length > 0) return { kind: 'read', signatures: possible.slice(0, READ_TOGETHER) };
  if (leftOut !== undefined) return { kind: 'go-back' };
  return unshown.length > 0 ? { kind: 'ask-again' } : { kind: 'end' };
}

/** A node that does not know the place gives an empty list, which is no end of the history. */
export function goesOn({ place }: SearchProgress, page: readonly HistoryEntry[]): boolean {
  return place === undefined || page[0]?.signature === place.last;
}

/** The answer to `list`, if it goes on where the page before ended. */
export function afterPage(
  progress: SearchProgress,
  page: readonly HistoryEntry[],
  { window, likelihood }: Pick<SearchedHistory, 'window' | 'likelihood'>,
): SearchProgress {
  const { place } = progress;
  const limit = place === undefined ? FIRST_PAGE : PAGE;
  const entries = place === undefined ? page : page.slice(1);
  const waiting = new Set([...progress.likely, ...progress.possible]);
  const within = entries
    .filter(({ signature }) => !waiting.has(signature))
    .filter(({ slot }) => isWithin(window, BigInt(slot)));
  const judged = within.map((entry) => ({ signature: entry.signature, likelihood: likelihood(entry) }));
  const judgedAs = (wanted: Likelihood) =>
    judged.filter((each) => each.likelihood === wanted).map(({ signature }) => signature);
  const [above, last] = page.slice(-2).map(({ signature }) => signature);
  const possible = judgedAs('possible');
  const isFull = progress.possible.length + possible.length >= MOST_UNREAD;
  const leavesOut = !progress.isSkimmed && (progress.leftOut !== undefined || isFull);
  const isOlder = entries.some(({ slot }) => window.from !== undefined && BigInt(slot) < window.from);
  return {
    ...progress,
    isListed: isOlder || page.length < limit,
    place: above === undefined || last === undefined ? undefined : { above, last },
    newest: progress.newest ?? entries[0]?.signature,
    likely: [...progress.likely, ...judgedAs('likely')],
    possible: leavesOut ? progress.possible : [...progress.possible, ...possible],
    leftOut: leavesOut ? (progress.leftOut ?? place) : progress.leftOut,
    listed: progress.listed + (progress.isSkimmed ? 0 : entries.length),
  };
}

/** The answer to `read`, which asked for the first ones, and of which none matched. */
function afterRead(progress: SearchProgress, count: number, unshown: readonly string[]): SearchProgress {
  const { likely, possible } = progress;
  return {
    ...progress,
    likely: likely.slice(count),
    possible: likely.length > 0 ? possible : possible.slice(count),
    unshown: [...progress.unshown, ...unshown],
  };
}

function goneBack(progress: SearchProgress): SearchProgress {
  return { ...progress, isSkimmed: true, isListed: false, place: progress.leftOut, leftOut: undefined };
}

function askedAgain(progress: SearchProgress): SearchProgress {
  return { ...progress, possible: progress.unshown, unshown: [] };
}

/** Begins anew, for what the chain shows only now. `passes`: how many have ended. */
function nextPass({ newest, until, listed }: SearchProgress, passes: number): SearchProgress {
  const since = passes % PASSES_PER_FULL_ONE === 0 ? undefined : (newest ?? until);
  return { ...NOT_BEGUN, until: since, listed };
}

function isWithin({ from, to }: SlotWindow, slot: bigint): boolean {
  return (from === undefined || slot >= from) && (to === undefined || slot <= to);
}

export type SearchTurn =
  | SearchOutcome
  /** There is more to read. */
  | { readonly kind: 'more' }
  /** All was read, and the node does not show some of what it lists. */
  | { readonly kind: 'later'; readonly unshown: readonly string[] };

export interface RunningSearch {
  readonly search: Search;
  /** Entries listed and calls made so far. */
  readonly listed: number;
  readonly calls: number;
  /** How often all was read without finding it. */
  readonly passes: number;
  /** Up to about this many calls. Rejects as the chain does, and keeps what it has. */
  turn(budget: number): Promise<SearchTurn>;
}

export function beginSearch(
  chain: Pick<Chain, 'signaturesOf' | 'transaction'>,
  search: Search,
): RunningSearch {
  const { commitment, known, history } = search;
  let progress = NOT_BEGUN;
  let calls = 0;
  let passes = 0;
  let misplaced = 0;

  function readAll(signatures: readonly string[]) {
    calls += signatures.length;
    return Promise.all(
      signatures.map(async (signature) => ({
        signature,
        transaction: await chain.transaction(signature, commitment),
      })),
    );
  }

  /** The one that matches. */
  async function read(signatures: readonly string[]): Promise<SearchOutcome | undefined> {
    const shown = await readAll(signatures);
    for (const { signature, transaction } of shown)
      if (transaction !== undefined && search.matches(transaction))
        return { kind: 'found', signature, transaction };
    const unshown = shown.filter(({ transaction }) => transaction === undefined);
    progress = afterRead(
      progress,
      signatures.length,
      unshown.map(({ signature }) => signature),
    );
    return undefined;
  }

  async function list(
    { address, atLeastSlot, window, likelihood }: SearchedHistory,
    { before, limit }: Extract<SearchAction, { kind: 'list' }>,
  ): Promise<void> {
    calls += 1;
    const { until } = progress;
    const page = await chain.signaturesOf(address, {
      commitment,
      limit,
      ...(before !== undefined && { before }),
      ...(until !== undefined && { until }),
      ...(atLeastSlot !== undefined && { atLeastSlot }),
    });
    if (!goesOn(progress, page)) {
      misplaced += 1;
      if (misplaced % TRIES_OF_A_PLACE === 0) progress = { ...progress, place: undefined };
      throw new ChainUnavailable('the chain node does not know where its list of signatures stopped');
    }
    progress = afterPage(progress, page, { window, likelihood });
  }

  async function turn(budget: number): Promise<SearchTurn> {
    const end = calls + budget;
    const others = new Map<string, LandedTransaction>();
    for (const { signature, transaction } of await readAll(known)) {
      if (transaction === undefined) continue;
      if (search.matches(transaction)) return { kind: 'found', signature, transaction };
      others.set(signature, transaction);
    }
    const absent: SearchOutcome = { kind: 'absent', others };
    if (history === undefined) {
      passes += 1;
      return absent;
    }
    while (calls < end) {
      const action = nextAction(progress);
      switch (action.kind) {
        case 'list':
          await list(history, action);
          break;
        case 'read': {
          const found = await read(action.signatures);
          if (found !== undefined) return found;
          break;
        }
        case 'go-back':
          progress = goneBack(progress);
          break;
        case 'ask-again': {
          const { unshown } = progress;
          progress = askedAgain(progress);
          passes += 1;
          return { kind: 'later', unshown };
        }
        case 'end':
          passes += 1;
          progress = nextPass(progress, passes);
          return absent;
      }
    }
    return { kind: 'more' };
  }

  return {
    search,
    turn,
    get listed() {
      return progress.listed;
    },
    get calls() {
      return calls;
    },
    get passes() {
      return passes;
    },
  };
}
