/**
 * Who may search the chain next. Pure. Searches that took few calls so far go first, so that nobody waits for a history
 * that somebody has flooded; those that took many share a few places, and so many calls a minute.
 */

export interface SearchState {
  readonly transactionId: string;
  readonly isRunning: boolean;
  /** Calls that it has taken so far. */
  readonly calls: number;
  /** Milliseconds since 1970: no turn before. */
  readonly notBefore: number;
}

/** Calls after which a search counts as long. */
export const LONG = 100;
export const CALLS_PER_TURN = 16;
export const PLACES = 4;
export const PLACES_OF_LONG = 2;
export const LONG_CALLS_PER_MINUTE = 2_400;
/** Milliseconds before what was not found is looked for again: at first, and at most. */
const [SHORTEST_REST, LONGEST_REST] = [250, 10_000];

export function isLong({ calls }: Pick<SearchState, 'calls'>): boolean {
  return calls >= LONG;
}

/** `longCalls`: those that long searches made within the last minute. */
export function nextTurns(
  searches: readonly SearchState[],
  { now, longCalls }: { readonly now: number; readonly longCalls: number },
): readonly string[] {
  const running = searches.filter(({ isRunning }) => isRunning);
  const due = searches
    .filter(({ isRunning, notBefore }) => !isRunning && notBefore <= now)
    .toSorted((one, other) => one.calls - other.calls);
  const free = Math.max(0, PLACES - running.length);
  const short = due.filter((search) => !isLong(search)).slice(0, free);
  const freeForLong = Math.min(
    free - short.length,
    PLACES_OF_LONG - running.filter(isLong).length,
    Math.floor((LONG_CALLS_PER_MINUTE - longCalls) / CALLS_PER_TURN),
  );
  const long = due.filter(isLong).slice(0, Math.max(0, freeForLong));
  return [...short, ...long].map(({ transactionId }) => transactionId);
}

/**
 * Milliseconds: what failed, was all read, or was found without changing anything yet waits longer each time; what has more
 * to read goes on.
 */
export function restAfterTurn({
  failures,
  ends,
  hasMore,
}: {
  readonly failures: number;
  readonly ends: number;
  readonly hasMore: boolean;
}): number {
  const times = failures > 0 ? failures : hasMore ? 0 : ends;
  return times === 0 ? 0 : Math.min(SHORTEST_REST * 2 ** (times - 1), LONGEST_REST);
}
