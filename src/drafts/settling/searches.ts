/**
 * Runs the searches of all drafts beside the rounds that look and send: a few at a time, in turns of a few calls. What
 * was read is kept in memory; after a restart a search begins anew.
 */

import {
  beginSearch,
  type RunningSearch,
  type Search,
  type SearchOutcome,
  type SearchTurn,
} from '../../chain/history-search.ts';
import type { Chain } from '../../ports/chain.ts';
import type { Clock } from '../../runtime/clock.ts';
import { CALLS_PER_TURN, isLong, nextTurns, restAfterTurn, type SearchState } from './next-turns.ts';

/** Milliseconds. */
const MINUTE = 60_000;
/** Milliseconds: nodes that lag show it by then. */
export const UNKNOWN_AFTER = 5 * MINUTE;
/** Of those that are not shown, so many are told. */
const TOLD_SIGNATURES = 5;
/** Entries in the history of a draft's account: more than its own life makes. */
const MANY_ENTRIES = 1_000;

export interface WantedSearch {
  readonly transactionId: string;
  readonly search: Search;
  /** Records what it means for the draft. */
  conclude(outcome: SearchOutcome): Promise<void>;
  /** The account's history is longer than the draft can make it. Called once a search. */
  flooded(history: { readonly address: string; readonly listed: number }): Promise<void>;
  /** The whole final history was read for minutes, again and again, and does not tell the outcome. Called once a search. */
  unknown(unknown: UnknownOutcome): Promise<void>;
}

export interface UnknownOutcome {
  readonly code: 'TRANSACTION_NOT_SHOWN' | 'TRANSACTION_NOT_FOUND';
  readonly address: string;
  /** Listed in the history and not shown. */
  readonly signatures: readonly string[];
}

export interface Searches {
  /** Begins the search, or lets it go on where it stopped. `part`: of the service, which wants it. */
  want(part: string, wanted: WantedSearch): void;
  /** Nothing is to be searched for the draft any more. */
  end(transactionId: string): void;
  /** Ends the searches of this part for all other drafts. */
  keepOnly(part: string, present: ReadonlySet<string>): void;
  /** How many are under way, and how many of them read a flooded history. */
  counts(): { readonly all: number; readonly flooded: number };
  /** Ends all searches. Resolves when the turns under way have ended. */
  stop(): Promise<void>;
}

export interface SearchesOptions {
  readonly chain: Pick<Chain, 'signaturesOf' | 'transaction'>;
  readonly clock: Clock;
  readonly report: (message: string, details: object) => void;
}

interface Kept {
  readonly part: string;
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

export function createSearches({ chain, clock, report }: SearchesOptions): Searches {
  const kept = new Map<string, Kept>();
  const turns = new Set<Promise<void>>();
  let spent: { readonly at: number; readonly calls: number }[] = [];
  let isStopped = false;

  function keep(part: string, wanted: WantedSearch): void {
    const { transactionId, search } = wanted;
    const known = kept.get(transactionId);
    if (known?.running.search.name === search.name) {
      known.wanted = wanted;
      return;
    }
    kept.set(transactionId, {
      part,
      wanted,
      running: beginSearch(chain, search),
      isRunning: false,
      notBefore: 0,
      failures: 0,
      ends: 0,
      isFlooded: false,
      begunAt: clock.now().getTime(),
      isToldUnknown: false,
    });
  }

  function serve(): void {
    if (isStopped) return;
    const now = clock.now().getTime();
    spent = spent.filter(({ at }) => now - at < MINUTE);
    const longCalls = spent.reduce((sum, { calls }) => sum + calls, 0);
    for (const transactionId of nextTurns([...kept.values()].map(stateOf), { now, longCalls })) {
      const one = kept.get(transactionId);
      if (one !== undefined) begin(one);
    }
  }

  function begin(one: Kept): void {
    one.isRunning = true;
    const turn = turnOf(one).finally(() => {
      one.isRunning = false;
      turns.delete(turn);
      serve();
    });
    turns.add(turn);
  }

  async function turnOf(one: Kept): Promise<void> {
    const { running } = one;
    const [callsBefore, wasLong] = [running.calls, isLong(running)];
    let hasMore = false;
    try {
      const turn = await running.turn(CALLS_PER_TURN);
      hasMore = turn.kind === 'more';
      if (!hasMore) one.ends += 1;
      if (isWanted(one)) await tellOfFlood(one);
      if (isWanted(one) && (turn.kind === 'found' || turn.kind === 'absent')) await one.wanted.conclude(turn);
      if (isWanted(one) && (turn.kind === 'later' || turn.kind === 'absent')) await tellUnknown(one, turn);
      one.failures = 0;
    } catch (error) {
      one.failures += 1;
      if (one.failures === 1) {
        const { transactionId } = one.wanted;
        report('a search for a transaction failed, retrying', { transactionId, error: String(error) });
      }
    }
    const at = clock.now().getTime();
    if (wasLong) spent.push({ at, calls: running.calls - callsBefore });
    one.notBefore = at + restAfterTurn({ failures: one.failures, ends: one.ends, hasMore });
  }

  async function tellOfFlood(one: Kept): Promise<void> {
    const { listed, search } = one.running;
    if (one.isFlooded || search.history === undefined || listed <= MANY_ENTRIES) return;
    await one.wanted.flooded({ address: search.history.address, listed });
    one.isFlooded = true;
  }

  /** What was absent and is still wanted has an outcome that nothing tells. */
  async function tellUnknown(
    one: Kept,
    turn: Extract<SearchTurn, { kind: 'later' | 'absent' }>,
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

  /** Meanwhile its draft may have ended, or may be searched for something else. */
  function isWanted(one: Kept): boolean {
    return !isStopped && kept.get(one.wanted.transactionId) === one;
  }

  return {
    want(part, wanted) {
      keep(part, wanted);
      serve();
    },
    end: (transactionId) => void kept.delete(transactionId),
    keepOnly(part, present) {
      for (const [transactionId, one] of kept)
        if (one.part === part && !present.has(transactionId)) kept.delete(transactionId);
    },
    counts: () => ({
      all: kept.size,
      flooded: [...kept.values()].filter(({ isFlooded }) => isFlooded).length,
    }),
    async stop() {
      isStopped = true;
      await Promise.all(turns);
    },
  };
}

function stateOf({ wanted: { transactionId }, running: { calls }, isRunning, notBefore }: Kept): SearchState {
  return { transactionId, isRunning, calls, notBefore };
}
