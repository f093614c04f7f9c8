/** Progress of a search in an account's history: the next action, and the effect of an answer. Pure. */
import type { HistoryEntry } from '../kernel/ports/chain.ts';

/** Both inclusive; undefined where nothing bounds it. */
export interface SlotWindow {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** Likelihood of an entry judged by the list alone. */
export type Likelihood = 'likely' | 'possible' | 'ruled-out';

export interface SearchedHistory {
  readonly address: string;
  readonly window: SlotWindow;
  /** See `Chain.signaturesOf`. */
  readonly atLeastSlot?: bigint;
  likelihood(entry: HistoryEntry): Likelihood;
}

/** The part of a history read so far. */
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
  /** Number of entries listed in all passes. */
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
/** Maximum that nodes return. */
const PAGE = 1_000;
const READ_TOGETHER = 8;
/** More is left out at first, and not listed before some of it is read: the memory of a search is bounded. */
const MOST_UNREAD = 20_000;
/** Number of passes after which a search reads everything again: a node may have listed a transaction late, below newer ones. */
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

/** Applies the answer to `list`, if it continues the previous page. */
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
export function afterRead(
  progress: SearchProgress,
  count: number,
  unshown: readonly string[],
): SearchProgress {
  const { likely, possible } = progress;
  return {
    ...progress,
    likely: likely.slice(count),
    possible: likely.length > 0 ? possible : possible.slice(count),
    unshown: [...progress.unshown, ...unshown],
  };
}

export function goneBack(progress: SearchProgress): SearchProgress {
  return { ...progress, isSkimmed: true, isListed: false, place: progress.leftOut, leftOut: undefined };
}

export function askedAgain(progress: SearchProgress): SearchProgress {
  return { ...progress, possible: progress.unshown, unshown: [] };
}

/** Restarts, to find transactions that the chain shows only now. `passes`: number of completed passes. */
export function nextPass({ newest, until, listed }: SearchProgress, passes: number): SearchProgress {
  const since = passes % PASSES_PER_FULL_ONE === 0 ? undefined : (newest ?? until);
  return { ...NOT_BEGUN, until: since, listed };
}

function isWithin({ from, to }: SlotWindow, slot: bigint): boolean {
  return (from === undefined || slot >= from) && (to === undefined || slot <= to);
}
