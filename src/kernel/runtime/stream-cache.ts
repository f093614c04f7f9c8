/**
 * Loads streams from a cache, from the cache and later events of the store, or from the last snapshot of a long stream.
 *
 * The cache contains streams as this process has read them, appended to them, or received them from its subscription. The
 * store may contain later events but never different ones: stores refuse appends to a replaced log. So a decision on a cached
 * stream is valid only together with an append at its revision. Stored events are cached because the quarantine applies when
 * they are decoded; the folded state is cached with them.
 */
import { LRUCache } from 'lru-cache';
import type { ExpectedRevision, Position, RecordedEvent } from '../ports/event-store.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { Rejection } from './rejection.ts';
import type { Milestone, ReadStream, Snapshots } from './snapshots.ts';

export interface LoadedStream<State, Event extends DomainEvent> {
  readonly state: State;
  readonly revision: ExpectedRevision;
  /**
   * All events of a stream without snapshots. Of a stream with snapshots, the latest events, including all from
   * `LoadOptions.eventsFrom` on.
   */
  readonly events: readonly Recorded<Event>[];
  /** Position of the stream's last event; undefined for an empty stream. */
  readonly position: Position | undefined;
  /** State after one of `events`. */
  readonly stateAfter: (event: Recorded<Event>) => State;
}

/** All events of a stream, or its latest ones. Without events, the stream did not exist when it was read. */
interface CachedStream {
  /** State after the first event of `stored`; undefined if that is the stream's first event. */
  readonly base: Milestone<unknown> | undefined;
  /** Consecutive events, including quarantined ones. */
  readonly stored: readonly RecordedEvent[];
  /** Folded from the first `count` events. */
  folded?: { readonly loaded: LoadedStream<unknown, DomainEvent>; readonly count: number } | undefined;
  /** Bytes of JSON. */
  readonly bytes: number;
}

interface StreamCacheOptions {
  /** Maximum bytes of stored JSON; memory use is about twice as much (`stream-cache` in the bench). */
  readonly maxBytes?: number;
  /** True while `learn` soon receives all events that other processes record. */
  readonly isFollowed: () => boolean;
}

export type StreamCache = ReturnType<typeof createStreamCache>;

/** Maximum number of events cached after a milestone, and for a stream that this process never loads. */
const MAX_TAIL = 100;
const MAX_BYTES = 32 * 1024 * 1024;
/** Maximum share of one stream, so that it cannot evict all other streams. */
const SHARE_OF_ONE = 1 / 16;
/** Bytes of an entry without events. */
const ENTRY_BYTES = 300;

export function createStreamCache({ maxBytes = MAX_BYTES, isFollowed }: StreamCacheOptions) {
  const streams = new LRUCache<string, CachedStream>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes * SHARE_OF_ONE),
    sizeCalculation: ({ bytes }) => bytes,
  });
  function put(name: string, stream: Omit<CachedStream, 'bytes'>, bytes: number): CachedStream {
    const cached: CachedStream = { ...stream, bytes };
    streams.set(name, cached);
    return cached;
  }

  function learnOne(event: RecordedEvent): void {
    const { stream: name, revision } = event;
    const cached = streams.peek(name);
    const next = cached === undefined ? 0 : nextRevision(cached);
    if (revision < next) return;
    if (revision > next || notFolded(cached) >= MAX_TAIL) {
      // Events are missing, or only other processes load the stream: it would evict streams that this process decides
      // on.
      streams.delete(name);
    } else {
      const { base, stored = [], folded, bytes = ENTRY_BYTES + name.length } = cached ?? {};
      put(name, { base, stored: [...stored, event], folded }, bytes + bytesOf(event));
    }
  }

  return {
    /** Undefined if the stream is not cached, or while the subscription to the log is interrupted. */
    current: (name: string) => (isFollowed() ? streams.get(name) : undefined),
    /** Cached stream, to which other processes may have appended since. */
    latest: (name: string) => streams.get(name),

    /** Caches the result of a read, and returns that result or a newer one. */
    keep(name: string, read: Omit<CachedStream, 'bytes'>): CachedStream {
      const cached = streams.peek(name);
      const bytes = ENTRY_BYTES + name.length + sum(read.stored.map(bytesOf)) + stateBytes(read.base);
      if (cached === undefined || nextRevision(cached) <= nextRevision(read)) return put(name, read, bytes);
      // A slow read must not restore an older state; but the cached stream may begin later than the requested one.
      return firstRevision(cached) <= firstRevision(read) ? cached : { ...read, bytes };
    },

    /** Adds recorded events, in the order of their streams; ignores duplicates and late ones. */
    learn(events: readonly RecordedEvent[]): void {
      for (const event of events) learnOne(event);
    },
    /** Must be called if the outcome of an append to the stream is unknown. */
    forget: (name: string) => void streams.delete(name),
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

/**
 * Permitted age of a state. `fresh`: a rejection, or a decision to record nothing, is based on the store's current events.
 * `cached`: the cached state suffices for such a decision. Use it for work that is repeated, and for decisions that end in an
 * append at the revision.
 */
export type Trust = 'fresh' | 'cached';

interface LoadOptions {
  /** Default `fresh`. */
  readonly trust?: Trust;
  /** Revision from which on all events are needed; by default, one event suffices. */
  readonly eventsFrom?: number | undefined;
}

export interface StreamLoader {
  /** Returns the cached stream without a read; undefined if it is not cached. */
  cached<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
  ): Promise<LoadedStream<State, Event> | undefined>;
  load<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    options?: LoadOptions,
  ): Promise<LoadedStream<State, Event>>;
  /**
   * Returns the result of `judge` for the cached stream. If that rejects, judges the store's current events instead, so that
   * an outdated state never causes a rejection. For checks before an action with its own fence; `judge` may run twice.
   */
  check<State, Event extends DomainEvent, Result>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    judge: (state: State, loaded: LoadedStream<State, NoInfer<Event>>) => Result | Promise<Result>,
  ): Promise<Result>;
}

/** The cache and the codec handle streams without types, because only loads of the same stream use its name. */
type AnyDefinition = StreamDefinition<unknown, DomainEvent>;

const LATEST = Number.MAX_SAFE_INTEGER;

export function createStreamLoader({
  read,
  decode,
  cache,
  snapshots,
}: {
  readonly read: ReadStream;
  readonly decode: EventReader['read'];
  readonly cache: StreamCache;
  readonly snapshots: Pick<Snapshots, 'latest'>;
}): StreamLoader {
  /** Undefined if the store no longer has the last cached event. */
  async function readOn(name: string, cached: CachedStream): Promise<CachedStream | undefined> {
    const last = cached.stored.at(-1);
    if (last === undefined) return undefined;
    const stored = await read(name, last.revision);
    if (stored[0]?.id === last.id)
      return cache.keep(name, { ...cached, stored: [...cached.stored, ...stored.slice(1)] });
    cache.forget(name);
    return undefined;
  }

  /** Undefined if no snapshot is old enough, or the snapshot is of another history. */
  async function readFromSnapshot(
    stream: AnyDefinition,
    name: string,
    eventsFrom: number,
  ): Promise<CachedStream | undefined> {
    const base = await snapshots.latest(stream, name);
    if (base === undefined || base.revision > eventsFrom) return undefined;
    const stored = await read(name, base.revision);
    return stored[0]?.id === base.eventId ? cache.keep(name, { base, stored }) : undefined;
  }

  async function readNew(stream: AnyDefinition, name: string, eventsFrom: number): Promise<CachedStream> {
    const keepWhole = (stored: readonly RecordedEvent[]) => cache.keep(name, { base: undefined, stored });
    const every = stream.snapshots?.every;
    if (every === undefined || eventsFrom === 0) return keepWhole(await read(name));
    // Most streams are too short for a snapshot.
    const first = await read(name, 0, every);
    if (first.length < every) return keepWhole(first);
    return (
      (await readFromSnapshot(stream, name, eventsFrom)) ??
      keepWhole([...first, ...(await read(name, every))])
    );
  }

  async function decoded(stored: readonly RecordedEvent[]): Promise<readonly Recorded[]> {
    const events: Recorded[] = [];
    for (const one of stored) {
      const event = await decode(one);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  /** Rejects with `EventUndecodable`. */
  async function fold(
    { initial, evolve, snapshots: rules }: AnyDefinition,
    name: string,
    cached: CachedStream,
  ): Promise<LoadedStream<unknown, DomainEvent>> {
    const { base, stored, folded: before } = cached;
    if (before?.count === stored.length) return before.loaded;
    try {
      const added = await decoded(stored.slice(before?.count ?? 0));
      const events = [...(before?.loaded.events ?? []), ...added];
      const { state: begun, revision: after } = base ?? { state: initial, revision: -1 };
      const stateAt = (revision: number) =>
        events.filter((event) => event.revision > after && event.revision <= revision).reduce(evolve, begun);
      const last = stored.at(-1);
      const loaded = {
        state: before === undefined ? stateAt(LATEST) : added.reduce(evolve, before.loaded.state),
        events,
        revision: last?.revision ?? ('none' as const),
        position: last?.position,
        stateAfter: (event: Recorded) => stateAt(event.revision),
      };
      cached.folded = { loaded, count: stored.length };
      if (rules !== undefined && last !== undefined && stored.length > MAX_TAIL) {
        const base = { state: loaded.state, revision: last.revision, eventId: last.id };
        cache.keep(name, { base, stored: [last] });
      }
      return loaded;
    } catch (error) {
      // The stream's events may be deleted before the next load, so that load must read them again.
      cache.forget(name);
      throw error;
    }
  }

  async function load(
    stream: AnyDefinition,
    streamId: string,
    { trust = 'fresh', eventsFrom = LATEST }: LoadOptions = {},
  ): Promise<LoadedStream<unknown, DomainEvent>> {
    const name = nameOf(stream, streamId);
    const current = trust === 'cached' ? cache.current(name) : undefined;
    if (current !== undefined) return fold(stream, name, current);
    const latest = cache.latest(name);
    const isEnough = latest !== undefined && (latest.base?.revision ?? 0) <= eventsFrom;
    const found =
      (isEnough ? await readOn(name, latest) : undefined) ?? (await readNew(stream, name, eventsFrom));
    return fold(stream, name, found);
  }

  async function cached(stream: AnyDefinition, streamId: string) {
    const name = nameOf(stream, streamId);
    const current = cache.current(name);
    return current && fold(stream, name, current);
  }

  const check: StreamLoader['check'] = async (stream, streamId, judge) => {
    const found = await loader.cached(stream, streamId);
    if (found !== undefined) {
      try {
        return await judge(found.state, found);
      } catch (refusal) {
        if (!(refusal instanceof Rejection)) throw refusal;
      }
    }
    const loaded = await loader.load(stream, streamId);
    return judge(loaded.state, loaded);
  };

  const loader = { load, cached, check } as unknown as StreamLoader;
  return loader;
}

export function nameOf({ category }: { readonly category: string }, streamId: string): string {
  return `${category}-${streamId}`;
}
