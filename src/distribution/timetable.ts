/**
 * Schedules the next step of each token, and stores this process's observations of the token. Tokens whose last step failed have
 * a queue of their own, with a limit of retries per second over all tokens and a limit of concurrent retries.
 */

import { createHmac } from 'node:crypto';
import TinyQueue from 'tinyqueue';
import { millisecondsOf } from '../streams/distribution-interval.ts';
import type { DistributionSettings } from '../streams/distribution-settings.ts';
import type { RunProgress } from './services.ts';
import type { TokenMemory } from './token-memory.ts';
import type { ObservedRun } from './waiting/observed-run.ts';

export type Scheduled = ReturnType<typeof newEntry>;

export type Timetable = ReturnType<typeof createTimetable>;

/** Longest pause between two checks of the timetable, in milliseconds. */
const MAX_SLEEP = 1_000;
/** Milliseconds added per failed retry: at most ten a second. */
const RETRY_INTERVAL = 100;
/** Longest delay of retries in milliseconds, also after the clock was set back. */
const MAX_DEBT = 10_000;

/** Queue entry; outdated once its token was queued again. */
interface Queued {
  readonly entry: Scheduled;
  readonly wakeAt: number;
  readonly order: number;
}

/** `retriesAtOnce`: maximum number of concurrent steps of tokens whose last step failed. */
export function createTimetable({ retriesAtOnce = 8 } = {}) {
  const entries = new Map<string, Scheduled>();
  const first = new TinyQueue<Queued>([], compare);
  const retries = new TinyQueue<Queued>([], compare);
  const retried = new Set<Scheduled>();
  let scheduled = 0;
  let retriesFrom = 0;

  function put(entry: Scheduled): void {
    scheduled += 1;
    entry.order = scheduled;
    (entry.hasFailed ? retries : first).push({ entry, wakeAt: entry.wakeAt, order: scheduled });
  }

  function takeRetry(now: number, most: number): Scheduled | undefined {
    if (now < retriesFrom || retried.size >= most) return undefined;
    const entry = takeDue(retries, now);
    if (entry !== undefined) retried.add(entry);
    return entry;
  }

  return {
    get: (tokenId: string) => entries.get(tokenId),
    all: () => entries.values(),

    /** Schedules the token for `wakeAt` (milliseconds), unless it is scheduled earlier already. */
    schedule(tokenId: string, wakeAt: number) {
      const known = entries.get(tokenId);
      const entry = known ?? newEntry(tokenId, wakeAt);
      const isEarlier = known === undefined || wakeAt < known.wakeAt;
      entry.wakeAt = Math.min(entry.wakeAt, wakeAt);
      entry.isChanged = true;
      entries.set(tokenId, entry);
      if (isEarlier && !entry.isBusy) put(entry);
      return entry;
    },

    /** Returns up to `places` due tokens to start, and the time of the next check. */
    turn(now: number, places: number) {
      if (retriesFrom > now + MAX_DEBT) retriesFrom = now;
      const ready: Scheduled[] = [];
      while (ready.length < places) {
        // One retry comes first, so that a recovered token also continues under load.
        const entry = takeRetry(now, 1) ?? takeDue(first, now) ?? takeRetry(now, retriesAtOnce);
        if (entry === undefined) break;
        ready.push(entry);
      }
      // If all slots are taken, the next finished step triggers another check.
      if (ready.length >= places) return { ready, next: now + MAX_SLEEP };
      const [one, retry] = [firstIn(first)?.wakeAt, firstIn(retries)?.wakeAt];
      const mayRetry = retry !== undefined && retried.size < retriesAtOnce;
      const moments = [one ?? Infinity, mayRetry ? Math.max(retry, retriesFrom) : Infinity];
      return { ready, next: Math.min(...moments, now + MAX_SLEEP) };
    },

    /** Ends a token's step, and queues the token by its `wakeAt` and `hasFailed`. */
    returned(entry: Scheduled, now: number) {
      const known = entries.get(entry.tokenId);
      if (known === undefined) return;
      retried.delete(known);
      // A repeated failure delays all retries, of any step.
      if (known.hasFailed && known.failures > 1)
        retriesFrom = Math.min(Math.max(retriesFrom, now) + RETRY_INTERVAL, now + MAX_DEBT);
      known.isBusy = false;
      put(known);
    },
  };
}

function firstIn(queue: TinyQueue<Queued>): Scheduled | undefined {
  for (;;) {
    const queued = queue.peek();
    if (queued === undefined || (queued.order === queued.entry.order && !queued.entry.isBusy))
      return queued?.entry;
    queue.pop();
  }
}

function takeDue(queue: TinyQueue<Queued>, now: number): Scheduled | undefined {
  const entry = firstIn(queue);
  if (entry === undefined || entry.wakeAt > now) return undefined;
  queue.pop();
  entry.isBusy = true;
  return entry;
}

function compare(one: Queued, other: Queued): number {
  return one.wakeAt - other.wakeAt || one.order - other.order;
}

function newEntry(tokenId: string, wakeAt: number) {
  return {
    tokenId,
    /** Time of the next step, in milliseconds. */
    wakeAt,
    /** Sequence number of the latest queueing; orders entries that are due at the same time. */
    order: 0,
    isBusy: false,
    /** True if an event was received while a step was running. */
    isChanged: false,
    /** True if the last step failed or waits for trouble. */
    hasFailed: false,
    /** Failed steps since the run last advanced. */
    failures: 0,
    memory: undefined as TokenMemory | undefined,
    progress: undefined as RunProgress | undefined,
    seen: undefined as ObservedRun | undefined,
    /** Time in milliseconds at which the next run is due; undefined while the token waits for another cause. */
    due: undefined as number | undefined,
  };
}

/** Last part of the interval, in which the scan takes place at a secret time, so that buyers cannot anticipate the scan. */
const SECRET_PART = 0.2;

interface TokenGrid {
  readonly tokenId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly interval: DistributionSettings['distributionInterval'];
  /** ISO 8601 due time of the last run that was opened or skipped. */
  readonly lastDueAt: string | undefined;
}

export interface DueRun {
  /** End of the run's interval, in milliseconds. */
  readonly dueAt: number;
  /** Earliest opening time in milliseconds, in the last fifth of the interval. */
  readonly opensAt: number;
}

/**
 * The latest run that may be opened at `now`, so that missed runs collapse into one; otherwise the next run. `secret` makes the
 * opening time unpredictable.
 */
export function dueRun(grid: TokenGrid, now: number, secret: Uint8Array): DueRun {
  const length = millisecondsOf(grid.interval);
  const created = Date.parse(grid.createdAt);
  const lastDue = grid.lastDueAt === undefined ? created : Date.parse(grid.lastDueAt);
  // The next run follows the last one, even if the interval has changed.
  const first = Math.max(1, Math.floor((lastDue - created) / length) + 1);
  const at = (number: number): DueRun => {
    const dueAt = created + number * length;
    return {
      dueAt,
      opensAt: dueAt - Math.floor(length * SECRET_PART * fraction(grid.tokenId, dueAt, secret)),
    };
  };
  // Only the current interval's opening time may be in the future.
  const underWay = Math.floor((now - created) / length) + 1;
  if (underWay <= first) return at(first);
  return at(underWay).opensAt <= now ? at(underWay) : at(underWay - 1);
}

/** Pseudo-random number from 0 to below 1. */
function fraction(tokenId: string, dueAt: number, secret: Uint8Array): number {
  return createHmac('sha256', secret).update(`${tokenId} ${dueAt}`).digest().readUInt32LE(0) / 2 ** 32;
}
