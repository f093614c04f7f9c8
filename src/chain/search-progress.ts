/** Progress of a search in an account's history: the next action, and the effect of a response. Pure. */
import type { HistoryEntry } from '../kernel/ports/chain.ts';

/** Inclusive bounds; undefined for no bound. */
export interface SlotWindow {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** Likelihood of a match, judged by the list entry alone. */
export type Likelihood = 'likely' | 'possible' | 'ruled-out';

export interface SearchedHistory {
  readonly address: string;
  readonly window: SlotWindow;
  /** See `Chain.signaturesOf`. */
  readonly atLeastSlot?: bigint;
  likelihood(entry: HistoryEntry): Likelihood;
}

/** The part of a history read so far. */
interface SearchProgress {
  readonly isListed: boolean;
  /** The last two entries of the latest page; the next page must begin with the second. */
  readonly place: { readonly above: string; readonly last: string } | undefined;
  /** Newest entry that the previous pass listed; that pass read all older entries. */
  readonly until: string | undefined;
  readonly newest: string | undefined;
  /** Signatures to be read, by likelihood. */
  readonly likely: readonly string[];
  readonly possible: readonly string[];
  /** True once the whole list was searched for likely entries, which merely possible ones must not delay. */
  readonly isSkimmed: boolean;
  /** Cursor after which possible entries were left out of `possible`. */
  readonly leftOut: SearchProgress['place'];
  /** Signatures that the node listed but did not return; each may be the match. */
  readonly missing: readonly string[];
  /** Number of entries listed in all passes. */
  readonly listed: number;
}

export type SearchAction =
  | { readonly kind: 'list'; readonly before: string | undefined; readonly limit: number }
  | { readonly kind: 'read'; readonly signatures: readonly string[] }
  /** Returns to the entries that were left out. */
  | { readonly kind: 'go-back' }
  /** Everything else was read: requests the missing signatures again later. */
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
  missing: [],
  listed: 0,
};

/** Entries of the first page; most histories have only a few. */
const FIRST_PAGE = 100;
/** Maximum that nodes return. */
const PAGE = 1_000;
const READ_TOGETHER = 8;
/** Maximum possible entries to be read, which bounds the memory of a search; further ones are left out until some are read. */
const MAX_UNREAD = 20_000;
/** Passes until everything is read again, because a node may list a transaction late, below newer ones. */
const PASSES_PER_FULL_ONE = 8;

export function nextAction(progress: SearchProgress): SearchAction {
  const { isListed, leftOut, place, likely, possible, missing } = progress;
  if (likely.length > 0) return { kind: 'read', signatures: likely.slice(0, READ_TOGETHER) };
  if (!isListed && possible.length < MAX_UNREAD)
    return { kind: 'list', before: place?.above, limit: place === undefined ? FIRST_PAGE : PAGE };
  if (possible.length > 0) return { kind: 'read', signatures: possible.slice(0, READ_TOGETHER) };
  if (leftOut !== undefined) return { kind: 'go-back' };
  return missing.length > 0 ? { kind: 'ask-again' } : { kind: 'end' };
}

/** False if the page does not continue the list: a node without the last entry returns an empty list, which is not the end. */
export function hasMore({ place }: SearchProgress, page: readonly HistoryEntry[]): boolean {
  return place === undefined || page[0]?.signature === place.last;
}

/** Applies the response to `list`, if it continues the previous page. */
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
  const isFull = progress.possible.length + possible.length >= MAX_UNREAD;
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

/** Applies the response to `read` of the first `count` signatures, if none matched. */
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
    missing: [...progress.missing, ...unshown],
  };
}

export function restarted(progress: SearchProgress): SearchProgress {
  return { ...progress, isSkimmed: true, isListed: false, place: progress.leftOut, leftOut: undefined };
}

export function askedAgain(progress: SearchProgress): SearchProgress {
  return { ...progress, possible: progress.missing, missing: [] };
}

/** Starts the next pass, to find transactions that have appeared since. `passes`: number of completed passes. */
export function nextPass({ newest, until, listed }: SearchProgress, passes: number): SearchProgress {
  const since = passes % PASSES_PER_FULL_ONE === 0 ? undefined : (newest ?? until);
  return { ...NOT_BEGUN, until: since, listed };
}

function isWithin({ from, to }: SlotWindow, slot: bigint): boolean {
  return (from === undefined || slot >= from) && (to === undefined || slot <= to);
}
