/** One search, and what a turn of it leads to: read on, conclude, or report that its history is flooded or does not show the outcome. */
import {
  beginSearch,
  type RunningSearch,
  type Search,
  type SearchOutcome,
  type SearchTurn,
} from '../../chain/history-search.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { CALLS_PER_TURN, isLong, restAfterTurn } from './next-turns.ts';

/** Milliseconds: nodes that lag show it by then. */
export const UNKNOWN_AFTER = 5 * 60_000;
/** How many of the signatures that are not shown are named. */
const TOLD_SIGNATURES = 5;
const PASSES_OF_ABSENCE = 3;
/** Entries in the history of a draft's account: more than its own life makes. */
const MANY_ENTRIES = 1_000;

export interface WantedSearch {
  readonly transactionId: string;
  readonly search: Search;
  /** Records what it means for the draft. */
  conclude(outcome: SearchOutcome): Promise<void>;
  /** The account's history is longer than the draft can make it. Called once a search. */
  flooded(history: { readonly address: string; readonly listed: number }): Promise<void>;
  /** The whole final history was read for minutes, again and again, and does not show the outcome. Called once a search. */
  unknown(unknown: UnknownOutcome): Promise<void>;
}

export interface UnknownOutcome {
  readonly code: 'TRANSACTION_NOT_SHOWN' | 'TRANSACTION_NOT_FOUND';
  readonly address: string;
  /** Listed in the history and not shown. */
  readonly signatures: readonly string[];
}

export interface KeptSearch {
  wanted: WantedSearch;
  readonly running: RunningSearch;
  isRunning: boolean;
  notBefore: number;
  failures: number;
  /** Turns after which there was nothing more to read for now. */
  ends: number;
  isFlooded: boolean;
  readonly begunAt: number;
  isToldUnknown: boolean;
}

export function keptSearch(
  wanted: WantedSearch,
  { chain, begunAt }: { readonly chain: Parameters<typeof beginSearch>[0]; readonly begunAt: number },
): KeptSearch {
  return {
    wanted,
    running: beginSearch(chain, wanted.search),
    isRunning: false,
    notBefore: 0,
    failures: 0,
    ends: 0,
    isFlooded: false,
    begunAt,
    isToldUnknown: false,
  };
}

interface TurnParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Meanwhile its draft may have ended, or may be searched for something else. */
  readonly isWanted: () => boolean;
  /** Called with the calls of a long search. `at`: milliseconds since 1970. */
  readonly spend: (at: number, calls: number) => void;
}

export async function takeTurn(one: KeptSearch, parts: TurnParts): Promise<void> {
  const { clock, logger, isWanted, spend } = parts;
  const { running } = one;
  const [callsBefore, wasLong] = [running.calls, isLong(running)];
  let hasMore = false;
  try {
    const turn = await running.turn(CALLS_PER_TURN);
    hasMore = turn.kind === 'more';
    if (!hasMore) one.ends += 1;
    if (isWanted()) await tellOfFlood(one);
    if (isWanted() && (turn.kind === 'found' || (turn.kind === 'absent' && isRepeated(running))))
      await one.wanted.conclude(turn);
    if (isWanted() && (turn.kind === 'later' || turn.kind === 'absent')) await tellUnknown(one, turn, clock);
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
  one.notBefore = at + restAfterTurn({ failures: one.failures, ends: one.ends, hasMore });
}

/** A history proves absence once it was read several times: a single answer may be that of a node that is behind. */
function isRepeated({ search, passes }: RunningSearch): boolean {
  return search.history === undefined || passes >= PASSES_OF_ABSENCE;
}

async function tellOfFlood(one: KeptSearch): Promise<void> {
  const { listed, search } = one.running;
  if (one.isFlooded || search.history === undefined || listed <= MANY_ENTRIES) return;
  await one.wanted.flooded({ address: search.history.address, listed });
  one.isFlooded = true;
}

/** The outcome of what was absent and is still wanted stays unknown. */
async function tellUnknown(
  one: KeptSearch,
  turn: Extract<SearchTurn, { kind: 'later' | 'absent' }>,
  clock: Clock,
): Promise<void> {
  const { commitment, history } = one.running.search;
  const isYoung = clock.now().getTime() - one.begunAt < UNKNOWN_AFTER;
  if (one.isToldUnknown || isYoung || history === undefined || commitment !== 'finalized') return;
  const { address } = history;
  await one.wanted.unknown(
    turn.kind === 'later'
      ? { code: 'TRANSACTION_NOT_SHOWN', address, signatures: turn.unshown.slice(0, TOLD_SIGNATURES) }
      : { code: 'TRANSACTION_NOT_FOUND', address, signatures: [] },
  );
  one.isToldUnknown = true;
}
