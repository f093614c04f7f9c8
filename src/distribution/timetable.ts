/**
 * When which token is looked at next, and what this process has seen of it. Tokens whose last step failed are tried again
 * apart from the others: so often a second over all of them, and only some at a time.
 */

import { createHmac } from 'node:crypto';
import TinyQueue from 'tinyqueue';
import { millisecondsOf } from '../streams/distribution-interval.ts';
import type { DistributionSettings } from '../streams/distribution-settings.ts';
import type { RunProgress } from './services.ts';
import type { TokenMemory } from './token-memory.ts';
import type { Seen } from './waiting/seen.ts';

export type Scheduled = ReturnType<typeof newEntry>;

export type Timetable = ReturnType<typeof createTimetable>;

/** Longest pause between two checks of the timetable, in milliseconds. */
const LONGEST_SLEEP = 1_000;
/** Milliseconds for each retry that failed: ten a second. */
const RETRY_INTERVAL = 100;
/** Milliseconds: after a clock was set back, retries wait no longer than this. */
const LONGEST_DEBT = 10_000;

/** A place in a queue; outdated once its entry was queued again. */
interface Queued {
  readonly entry: Scheduled;
  readonly wakeAt: number;
  readonly order: number;
}

/** `retriesAtOnce`: the places that tokens whose last step failed may take. */
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

    /** Wakes the token then, or at the earlier moment that was known before. Milliseconds. */
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

    /** `places`: how many may begin a step. */
    turn(now: number, places: number) {
      if (retriesFrom > now + LONGEST_DEBT) retriesFrom = now;
      const ready: Scheduled[] = [];
      while (ready.length < places) {
        // Retries get one slot, so that a token whose trouble is over also continues.
        const entry = takeRetry(now, 1) ?? takeDue(first, now) ?? takeRetry(now, retriesAtOnce);
        if (entry === undefined) break;
        ready.push(entry);
      }
      // If all slots are taken, the next finished step triggers another check.
      if (ready.length >= places) return { ready, next: now + LONGEST_SLEEP };
      const [one, retry] = [firstIn(first)?.wakeAt, firstIn(retries)?.wakeAt];
      const mayRetry = retry !== undefined && retried.size < retriesAtOnce;
      const moments = [one ?? Infinity, mayRetry ? Math.max(retry, retriesFrom) : Infinity];
      return { ready, next: Math.min(...moments, now + LONGEST_SLEEP) };
    },

    /** Ends a token's step. Its `wakeAt` and `hasFailed` say when it is looked at again. */
    returned(entry: Scheduled, now: number) {
      const known = entries.get(entry.tokenId);
      if (known === undefined) return;
      retried.delete(known);
      // Applies to a retry of any step.
      if (known.hasFailed && known.failures > 1)
        retriesFrom = Math.min(Math.max(retriesFrom, now) + RETRY_INTERVAL, now + LONGEST_DEBT);
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
    /** Milliseconds. */
    wakeAt,
    /** Grows with each time that it is queued; entries that are due at the same time are served in this order. */
    order: 0,
    isBusy: false,
    /** Something was recorded while a step was under way. */
    isChanged: false,
    /** True if the last step failed or met trouble. */
    hasFailed: false,
    /** Steps that did since the run moved on. */
    failures: 0,
    memory: undefined as TokenMemory | undefined,
    progress: undefined as RunProgress | undefined,
    seen: undefined as Seen | undefined,
    /** When the step under way began; milliseconds. */
    busySince: 0,
    /** The log says that the step under way does not end. */
    isHangingReported: false,
    /** When its next run is due, as far as the read model said. */
    due: undefined as number | undefined,
  };
}

/** The scan falls into the last fifth of the interval, so that nobody buys for a minute. */
const SECRET_PART = 0.2;

export interface TokenGrid {
  readonly tokenId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly interval: DistributionSettings['distributionInterval'];
  /** When the last run was due that was opened or skipped; ISO 8601. */
  readonly lastDueAt: string | undefined;
}

export interface DueRun {
  /** The end of the interval that it belongs to; milliseconds. */
  readonly dueAt: number;
  /** From when on it may be opened; milliseconds, within the last fifth of the interval. */
  readonly opensAt: number;
}

/**
 * The latest run that may be opened at `now`, so that missed ones collapse into one; else the next to come. `secret` keeps
 * its moment from being foreseen.
 */
export function dueRun(grid: TokenGrid, now: number, secret: Uint8Array): DueRun {
  const length = millisecondsOf(grid.interval);
  const created = Date.parse(grid.createdAt);
  const lastDue = grid.lastDueAt === undefined ? created : Date.parse(grid.lastDueAt);
  // The interval may have changed since: the next run comes after the last one.
  const first = Math.max(1, Math.floor((lastDue - created) / length) + 1);
  const at = (number: number): DueRun => {
    const dueAt = created + number * length;
    return {
      dueAt,
      opensAt: dueAt - Math.floor(length * SECRET_PART * fraction(grid.tokenId, dueAt, secret)),
    };
  };
  // The interval under way is the only one that may not have opened yet.
  const underWay = Math.floor((now - created) / length) + 1;
  if (underWay <= first) return at(first);
  return at(underWay).opensAt <= now ? at(underWay) : at(underWay - 1);
}

/** From 0 to below 1. */
function fraction(tokenId: string, dueAt: number, secret: Uint8Array): number {
  return createHmac('sha256', secret).update(`${tokenId} ${dueAt}`).digest().readUInt32LE(0) / 2 ** 32;
}
