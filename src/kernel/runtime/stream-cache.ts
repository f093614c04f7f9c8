/**
 * Caches streams as this process has read them, appended to them, or received them from its subscription. The store may hold
 * more by now, never anything else: so a decision on a cached stream counts only together with an append that states its
 * revision. Stored events are cached, since quarantine and upcasts apply when they are read; the folded state is beside them.
 */
import { LRUCache } from 'lru-cache';
import type { ExpectedRevision, Position, RecordedEvent } from '../ports/event-store.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';
import type { Milestone } from './snapshots.ts';

/** A stream folded to its state. */
export interface LoadedStream<State, Event extends DomainEvent> {
  readonly state: State;
  readonly revision: ExpectedRevision;
  /** All events of a stream without snapshots; of others the latest, with all those from `LoadOptions.eventsFrom` on. */
  readonly events: readonly Recorded<Event>[];
  /** The position of the stream's last event; undefined when it has none. */
  readonly position: Position | undefined;
  /** The state right after one of `events`. */
  readonly stateAfter: (event: Recorded<Event>) => State;
}

/** The end of a stream, or all of it. Without events the stream did not exist. */
export interface CachedStream {
  /** The state after the first event of `stored`; undefined where that is the stream's first event. */
  readonly base: Milestone<unknown> | undefined;
  /** Without a gap, quarantined ones included. */
  readonly stored: readonly RecordedEvent[];
  /** Folded from the first `count` events. */
  folded?: { readonly loaded: LoadedStream<unknown, DomainEvent>; readonly count: number } | undefined;
  /** Bytes of JSON. */
  readonly bytes: number;
}

export interface StreamCache {
  /** Undefined for a stream that is not cached, and while this process does not receive what others record. */
  current(name: string): CachedStream | undefined;
  /** Whatever may have been recorded since. */
  latest(name: string): CachedStream | undefined;
  /**
   * Call before a read, and the returned function with its result: it returns what is cached then, which is that read or more.
   */
  reading(name: string): (read: Omit<CachedStream, 'bytes'>) => CachedStream;
  /** Adds events that were recorded, in the order of their streams; duplicates and late ones are ignored. */
  learn(events: readonly RecordedEvent[]): void;
  /** For a stream to which an append may or may not have been written. */
  forget(name: string): void;
  /** For a store that has another history than the cached one. */
  forgetAll(): void;
}

export interface StreamCacheOptions {
  /** Bytes of JSON, as it is stored; in memory it takes twice as much (`stream-cache` in the bench). */
  readonly mostBytes?: number;
  /** Whether everything that others record reaches `learn` soon. */
  readonly isFollowed: () => boolean;
}

/** Events of a long stream that are cached behind its milestone, and of a stream that this process never loads. */
export const LONGEST_TAIL = 100;
const MOST_BYTES = 32 * 1024 * 1024;
/** One stream must not take the place of all others. */
const SHARE_OF_ONE = 1 / 16;
/** Bytes of an entry without events. */
const ENTRY_BYTES = 300;

export function createStreamCache({ mostBytes = MOST_BYTES, isFollowed }: StreamCacheOptions): StreamCache {
  const streams = new LRUCache<string, CachedStream>({
    maxSize: mostBytes,
    maxEntrySize: Math.ceil(mostBytes * SHARE_OF_ONE),
    sizeCalculation: ({ bytes }) => bytes,
  });
  /** Grows whenever all was forgotten: a read that began before is of another history. */
  let history = 0;

  function forgetAll(): void {
    history += 1;
    streams.clear();
  }

  function put(name: string, stream: Omit<CachedStream, 'bytes'>, bytes: number): CachedStream {
    const cached: CachedStream = { ...stream, bytes };
    streams.set(name, cached);
    return cached;
  }

  function learnOne(event: RecordedEvent): void {
    const { stream: name, revision } = event;
    const cached = streams.peek(name);
    const next = cached === undefined ? 0 : nextRevision(cached);
    if (revision < next) {
      if (cached !== undefined && differs(cached, event)) forgetAll();
    } else if (revision > next || notFolded(cached) >= LONGEST_TAIL) {
      // After a gap; or other processes use the stream and this one does not: it would displace what this one decides on.
      streams.delete(name);
    } else {
      const { base, stored = [], folded, bytes = ENTRY_BYTES + name.length } = cached ?? {};
      put(name, { base, stored: [...stored, event], folded }, bytes + bytesOf(event));
    }
  }

  return {
    current: (name) => (isFollowed() ? streams.get(name) : undefined),
    latest: (name) => streams.get(name),

    reading(name) {
      const begunIn = history;
      return (read) => {
        const cached = streams.peek(name);
        const bytes = ENTRY_BYTES + name.length + sum(read.stored.map(bytesOf)) + stateBytes(read.base);
        if (begunIn !== history) return { ...read, bytes };
        if (cached === undefined || nextRevision(cached) <= nextRevision(read)) return put(name, read, bytes);
        const last = read.stored.at(-1);
        if (last !== undefined && differs(cached, last)) forgetAll();
        // A slow read must not bring back an older state; what is cached may begin later than what was requested.
        else if (firstRevision(cached) <= firstRevision(read)) return cached;
        return { ...read, bytes };
      };
    },

    learn(events) {
      for (const event of events) learnOne(event);
    },
    forget: (name) => void streams.delete(name),
    forgetAll,
  };
}

function firstRevision({ base }: Pick<CachedStream, 'base'>): number {
  return base?.revision ?? 0;
}

function nextRevision({ stored }: Pick<CachedStream, 'stored'>): number {
  return (stored.at(-1)?.revision ?? -1) + 1;
}

function notFolded(cached: CachedStream | undefined): number {
  return cached === undefined ? 0 : cached.stored.length - (cached.folded?.count ?? 0);
}

/** Whether another event is cached at its revision. */
function differs({ stored }: Pick<CachedStream, 'stored'>, { revision, id }: RecordedEvent): boolean {
  const first = stored[0]?.revision ?? 0;
  const own = stored[revision - first];
  return own !== undefined && own.id !== id;
}

const sizes = new WeakMap<RecordedEvent, number>();

function bytesOf(event: RecordedEvent): number {
  const measured = sizes.get(event);
  if (measured !== undefined) return measured;
  const bytes = JSON.stringify(event.data).length + JSON.stringify(event.metadata).length;
  sizes.set(event, bytes);
  return bytes;
}

function stateBytes(base: Milestone<unknown> | undefined): number {
  return base === undefined ? 0 : (JSON.stringify(base.state)?.length ?? 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
