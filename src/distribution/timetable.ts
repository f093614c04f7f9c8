/**
 * When which token is looked at next, and what this process has seen of it. Tokens whose last step failed are tried again
 * apart from the others: so often a second over all of them, and only some at a time.
 */
import TinyQueue from 'tinyqueue';
import type { RunProgress } from './services.ts';
import type { TokenMemory } from './token-memory.ts';
import type { Seen } from './waiting/seen.ts';

export interface Scheduled {
  readonly tokenId: string;
  /** Milliseconds. */
  wakeAt: number;
  isBusy: boolean;
  /** Something was recorded while a step was under way. */
  isChanged: boolean;
  /** Whether the last step failed or met trouble. */
  hasFailed: boolean;
  /** Steps that did since the run moved on. */
  failures: number;
  memory: TokenMemory | undefined;
  progress: RunProgress | undefined;
  seen: Seen | undefined;
  /** When the step under way began; milliseconds. */
  busySince: number;
  /** The log says that the step under way does not end. */
  isHangingTold: boolean;
  /** When its next run is due, as far as the read model said. */
  due: number | undefined;
}

export interface Turn {
  /** Those that take a step now, the one that has waited longest first. They are busy until they are returned. */
  readonly ready: readonly Scheduled[];
  /** When nobody may be waited for any longer; milliseconds. */
  readonly next: number;
}

export interface Timetable {
  /** Wakes the token then, or at the earlier moment that was known before. Milliseconds. */
  schedule(tokenId: string, wakeAt: number): Scheduled;
  get(tokenId: string): Scheduled | undefined;
  all(): IterableIterator<Scheduled>;
  /** `places`: how many may begin a step. */
  turn(now: number, places: number): Turn;
  /** Ends a token's step. Its `wakeAt` and `hasFailed` say when it is looked at again. */
  returned(entry: Scheduled, now: number): void;
}

/** Milliseconds: the longest that nobody looks at the timetable. */
const LONGEST_SLEEP = 1_000;
/** Milliseconds for each retry that failed: ten a second. */
const RETRY_INTERVAL = 100;
/** Milliseconds: after a clock was set back, retries wait no longer than this. */
const LONGEST_DEBT = 10_000;

interface Entry extends Scheduled {
  /** Grows with each time that it is queued; entries that are due at the same time are served in this order. */
  order: number;
}

/** A place in a queue; outdated once its entry was queued again. */
interface Queued {
  readonly entry: Entry;
  readonly wakeAt: number;
  readonly order: number;
}

/** `retriesAtOnce`: the places that tokens whose last step failed may take. */
export function createTimetable({ retriesAtOnce = 8 } = {}): Timetable {
  const entries = new Map<string, Entry>();
  const first = new TinyQueue<Queued>([], compare);
  const retries = new TinyQueue<Queued>([], compare);
  const retried = new Set<Scheduled>();
  let scheduled = 0;
  let retriesFrom = 0;

  function put(entry: Entry): void {
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
    get: (tokenId) => entries.get(tokenId),
    all: () => entries.values(),

    schedule(tokenId, wakeAt) {
      const known = entries.get(tokenId);
      const entry = known ?? newEntry(tokenId, wakeAt);
      const isEarlier = known === undefined || wakeAt < known.wakeAt;
      entry.wakeAt = Math.min(entry.wakeAt, wakeAt);
      entry.isChanged = true;
      entries.set(tokenId, entry);
      if (isEarlier && !entry.isBusy) put(entry);
      return entry;
    },

    turn(now, places) {
      if (retriesFrom > now + LONGEST_DEBT) retriesFrom = now;
      const ready: Scheduled[] = [];
      while (ready.length < places) {
        // One place is theirs, so that a token whose trouble is over goes on, too.
        const entry = takeRetry(now, 1) ?? takeDue(first, now) ?? takeRetry(now, retriesAtOnce);
        if (entry === undefined) break;
        ready.push(entry);
      }
      // Without a place, whoever is ready is woken by the step that ends.
      if (ready.length >= places) return { ready, next: now + LONGEST_SLEEP };
      const [one, retry] = [firstIn(first)?.wakeAt, firstIn(retries)?.wakeAt];
      const mayRetry = retry !== undefined && retried.size < retriesAtOnce;
      const moments = [one ?? Infinity, mayRetry ? Math.max(retry, retriesFrom) : Infinity];
      return { ready, next: Math.min(...moments, now + LONGEST_SLEEP) };
    },

    returned(entry, now) {
      const known = entries.get(entry.tokenId);
      if (known === undefined) return;
      retried.delete(known);
      // Of a retry, whichever of its steps it is.
      if (known.hasFailed && known.failures > 1)
        retriesFrom = Math.min(Math.max(retriesFrom, now) + RETRY_INTERVAL, now + LONGEST_DEBT);
      known.isBusy = false;
      put(known);
    },
  };
}

function firstIn(queue: TinyQueue<Queued>): Entry | undefined {
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

function newEntry(tokenId: string, wakeAt: number): Entry {
  return {
    tokenId,
    wakeAt,
    order: 0,
    isBusy: false,
    isChanged: false,
    hasFailed: false,
    failures: 0,
    memory: undefined,
    progress: undefined,
    seen: undefined,
    busySince: 0,
    isHangingTold: false,
    due: undefined,
  };
}
