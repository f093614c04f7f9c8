/**
 * Runs the searches of all drafts concurrently with the settling rounds, a few at a time, in slices of a few calls. Searches are
 * in memory only, so they start again after a restart.
 */

import {
  type RunningSearch,
  type Search,
  type SearchOutcome,
  type SearchSlice,
  startSearch,
} from '../../chain/history-search.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';

const MINUTE = 60_000;

export type Searches = ReturnType<typeof createSearches>;

interface SearchesOptions {
  readonly chain: Pick<Chain, 'signaturesOf' | 'transaction'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createSearches({ chain, clock, logger }: SearchesOptions) {
  const searches = new Map<string, ActiveSearch>();
  const turns = new Set<Promise<void>>();
  let spent: { readonly at: number; readonly calls: number }[] = [];
  let isStopped = false;

  function register(wanted: RequestedSearch): void {
    const { transactionId, search } = wanted;
    const known = searches.get(transactionId);
    if (known?.running.search.name === search.name) {
      known.wanted = wanted;
      return;
    }
    searches.set(transactionId, activeSearch(wanted, { chain, begunAt: clock.now().getTime() }));
  }

  function serve(): void {
    if (isStopped) return;
    const now = clock.now().getTime();
    spent = spent.filter(({ at }) => now - at < MINUTE);
    const longCalls = spent.reduce((sum, { calls }) => sum + calls, 0);
    for (const transactionId of nextSlices([...searches.values()].map(stateOf), { now, longCalls })) {
      const one = searches.get(transactionId);
      if (one !== undefined) begin(one);
    }
  }

  function spend(at: number, calls: number): void {
    spent.push({ at, calls });
  }

  function begin(one: ActiveSearch): void {
    one.isRunning = true;
    const turn = runSlice(one, { clock, logger, isActive: () => isWanted(one), spend }).finally(() => {
      one.isRunning = false;
      turns.delete(turn);
      serve();
    });
    turns.add(turn);
  }

  function isWanted(one: ActiveSearch): boolean {
    return !isStopped && searches.get(one.wanted.transactionId) === one;
  }

  return {
    /** Starts the search, or continues it where it stopped. */
    want(wanted: RequestedSearch) {
      register(wanted);
      serve();
    },
    /** Ends the draft's search. */
    end: (transactionId: string) => void searches.delete(transactionId),
    /** Ends the searches of all other drafts. */
    retainOnly(present: ReadonlySet<string>) {
      for (const transactionId of searches.keys())
        if (!present.has(transactionId)) searches.delete(transactionId);
    },
    /** Number of active searches, and of those reading a flooded history. */
    counts: () => ({
      all: searches.size,
      flooded: [...searches.values()].filter(({ isFlooded }) => isFlooded).length,
    }),
    /** Ends all searches. Resolves when the running slices have ended. */
    async stop() {
      isStopped = true;
      await Promise.all(turns);
    },
  };
}

function stateOf({ wanted, running, isRunning, notBefore }: ActiveSearch): SearchState {
  return { transactionId: wanted.transactionId, isRunning, calls: running.calls, notBefore };
}

/** Milliseconds after which an outcome counts as unknown; lagging nodes have caught up by then. */
const UNKNOWN_AFTER = 5 * 60_000;
/** Maximum number of missing signatures in a message. */
const LOGGED_SIGNATURES = 5;
const PASSES_OF_ABSENCE = 3;
/** Entries in a history above which it counts as flooded; a draft itself makes far fewer. */
const MANY_ENTRIES = 1_000;

interface RequestedSearch {
  readonly transactionId: string;
  readonly search: Search;
  /** Records the consequence for the draft. */
  conclude(outcome: SearchOutcome): Promise<void>;
  /** Reports a history that is longer than the draft can have made it. Called once per search. */
  flooded(history: { readonly address: string; readonly listed: number }): Promise<void>;
  /** Reports that the whole final history was read repeatedly for minutes without finding the outcome. Called once per search. */
  unknown(unknown: UnknownOutcome): Promise<void>;
}

interface UnknownOutcome {
  readonly code: 'TRANSACTION_NOT_SHOWN' | 'TRANSACTION_NOT_FOUND';
  readonly address: string;
  /** Signatures that the history lists but the node does not return. */
  readonly signatures: readonly string[];
}

type ActiveSearch = ReturnType<typeof activeSearch>;

function activeSearch(
  wanted: RequestedSearch,
  { chain, begunAt }: { readonly chain: Parameters<typeof startSearch>[0]; readonly begunAt: number },
) {
  return {
    wanted,
    running: startSearch(chain, wanted.search),
    isRunning: false,
    notBefore: 0,
    failures: 0,
    /** Number of slices that have read everything available. */
    ends: 0,
    isFlooded: false,
    begunAt,
    isToldUnknown: false,
  };
}

interface SliceParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** False if the draft has ended in the meantime, or needs another search. */
  readonly isActive: () => boolean;
  /** Called with the number of calls of a long search. `at`: milliseconds since the epoch. */
  readonly spend: (at: number, calls: number) => void;
}

async function runSlice(one: ActiveSearch, parts: SliceParts): Promise<void> {
  const { clock, logger, isActive, spend } = parts;
  const { running } = one;
  const [callsBefore, wasLong] = [running.calls, isLong(running)];
  let hasMore = false;
  try {
    const turn = await running.advance(CALLS_PER_SLICE);
    hasMore = turn.kind === 'more';
    if (!hasMore) one.ends += 1;
    if (isActive()) await logFlood(one);
    if (isActive() && (turn.kind === 'found' || (turn.kind === 'absent' && isRepeated(running))))
      await one.wanted.conclude(turn);
    if (isActive() && (turn.kind === 'later' || turn.kind === 'absent'))
      await recordUnknown(one, turn, clock);
    one.failures = 0;
  } catch (error) {
    one.failures += 1;
    if (one.failures === 1) {
      const { transactionId } = one.wanted;
      logger.warn({ transactionId, error: String(error) }, 'a search for a transaction failed, retrying');
    }
  }
  const at = clock.now().getTime();
  if (wasLong) spend(at, running.calls - callsBefore);
  one.notBefore = at + pauseAfterSlice({ failures: one.failures, ends: one.ends, hasMore });
}

/** A history proves absence only after several reads, since a single response may come from a lagging node. */
function isRepeated({ search, passes }: RunningSearch): boolean {
  return search.history === undefined || passes >= PASSES_OF_ABSENCE;
}

async function logFlood(one: ActiveSearch): Promise<void> {
  const { listed, search } = one.running;
  if (one.isFlooded || search.history === undefined || listed <= MANY_ENTRIES) return;
  await one.wanted.flooded({ address: search.history.address, listed });
  one.isFlooded = true;
}

/** Reports the outcome as unknown if it is still absent after `UNKNOWN_AFTER`. */
async function recordUnknown(
  one: ActiveSearch,
  turn: Extract<SearchSlice, { kind: 'later' | 'absent' }>,
  clock: Clock,
): Promise<void> {
  const { commitment, history } = one.running.search;
  const isYoung = clock.now().getTime() - one.begunAt < UNKNOWN_AFTER;
  if (one.isToldUnknown || isYoung || history === undefined || commitment !== 'finalized') return;
  const { address } = history;
  await one.wanted.unknown(
    turn.kind === 'later'
      ? { code: 'TRANSACTION_NOT_SHOWN', address, signatures: turn.missing.slice(0, LOGGED_SIGNATURES) }
      : { code: 'TRANSACTION_NOT_FOUND', address, signatures: [] },
  );
  one.isToldUnknown = true;
}

/**
 * Schedules the searches. Pure. Searches with few calls so far go first, so that a flooded history delays no other draft; long
 * searches share a few slots and a limit of calls per minute.
 */

interface SearchState {
  readonly transactionId: string;
  readonly isRunning: boolean;
  /** Number of calls so far. */
  readonly calls: number;
  /** Earliest start of the next slice, in milliseconds since the epoch. */
  readonly notBefore: number;
}

/** Number of calls after which a search counts as long. */
const LONG = 100;
const CALLS_PER_SLICE = 16;
const PLACES = 4;
const PLACES_OF_LONG = 2;
const LONG_CALLS_PER_MINUTE = 2_400;
/** Milliseconds between two slices of a search that found nothing: initial value, doubled after each slice, and maximum. */
const [SHORTEST_REST, LONGEST_REST] = [250, 10_000];

function isLong({ calls }: Pick<SearchState, 'calls'>): boolean {
  return calls >= LONG;
}

/** `longCalls`: calls of long searches within the last minute. */
function nextSlices(
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
    Math.floor((LONG_CALLS_PER_MINUTE - longCalls) / CALLS_PER_SLICE),
  );
  const long = due.filter(isLong).slice(0, Math.max(0, freeForLong));
  return [...short, ...long].map(({ transactionId }) => transactionId);
}

/**
 * Pause in milliseconds after a slice. Doubles after each failure and after each slice that has read everything; 0 if more is
 * available to read.
 */
function pauseAfterSlice({
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
