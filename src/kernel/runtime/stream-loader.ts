/** Loads streams: cached, read on from what is cached, or from the last snapshot of a long one. */
import type { RecordedEvent } from '../ports/event-store.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { Rejection } from './rejection.ts';
import type { ReadStream, Snapshots } from './snapshots.ts';
import { type CachedStream, LONGEST_TAIL, type LoadedStream, type StreamCache } from './stream-cache.ts';

/**
 * How far a cached state may be trusted. `fresh`: a refusal, or a decision to record nothing, is made on what the store holds.
 * `cached`: the cached state is enough to decide that nothing is due; for work that is repeated, and for what is decided
 * together with an append that states the revision.
 */
export type Trust = 'fresh' | 'cached';

export interface LoadOptions {
  /** `fresh` when absent: reads the store. */
  readonly trust?: Trust;
  /** The revision from which on all events are wanted. Without it, one event is enough. */
  readonly eventsFrom?: number | undefined;
}

export interface StreamLoader {
  load<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    options?: LoadOptions,
  ): Promise<LoadedStream<State, Event>>;
  /**
   * The result of `judge` for the cached stream; if it rejects that, for what the store holds, so that nobody is refused by an
   * old state. For checks before something that has a fence of its own; may run twice.
   */
  check<State, Event extends DomainEvent, Result>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    judge: (state: State, loaded: LoadedStream<State, NoInfer<Event>>) => Result | Promise<Result>,
  ): Promise<Result>;
}

export interface CachingLoader extends StreamLoader {
  /** Without a read; undefined where nothing is cached. */
  cached<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
  ): Promise<LoadedStream<State, Event> | undefined>;
}

export interface StreamLoaderOptions {
  readonly read: ReadStream;
  readonly decode: EventReader['read'];
  readonly cache: StreamCache;
  readonly snapshots: Pick<Snapshots, 'latest'>;
}

/** The cache and the codec know streams without their types: only loads of the very stream use its name. */
type AnyDefinition = StreamDefinition<unknown, DomainEvent>;

const LATEST = Number.MAX_SAFE_INTEGER;

export function createStreamLoader({ read, decode, cache, snapshots }: StreamLoaderOptions): CachingLoader {
  /** Undefined where the store has another history. */
  async function readOn(name: string, cached: CachedStream): Promise<CachedStream | undefined> {
    const last = cached.stored.at(-1);
    if (last === undefined) return undefined;
    const keep = cache.reading(name);
    const stored = await read(name, last.revision);
    const [first] = stored;
    if (first?.revision === last.revision && first.id === last.id)
      return keep({ ...cached, stored: [...cached.stored, ...stored.slice(1)] });
    // A shorter or different stream is of a store that was restored; a later beginning only means that older events were cut.
    if (first === undefined || first.revision <= last.revision) cache.forgetAll();
    return undefined;
  }

  /** Undefined without a snapshot that is old enough, and for one of another history. */
  async function readFromSnapshot(
    stream: AnyDefinition,
    name: string,
    eventsFrom: number,
  ): Promise<CachedStream | undefined> {
    const base = await snapshots.latest(stream, name);
    if (base === undefined || base.revision > eventsFrom) return undefined;
    const keep = cache.reading(name);
    const stored = await read(name, base.revision);
    const isOfHistory = stored[0]?.revision === base.revision && stored[0].id === base.eventId;
    return isOfHistory ? keep({ base, stored }) : undefined;
  }

  async function readNew(stream: AnyDefinition, name: string, eventsFrom: number): Promise<CachedStream> {
    const keep = cache.reading(name);
    const every = stream.snapshots?.every;
    if (every === undefined || eventsFrom === 0) return keep({ base: undefined, stored: await read(name) });
    // Short enough to have no snapshot, as most are.
    const first = await read(name, 0, every);
    if (first.length < every) return keep({ base: undefined, stored: first });
    return (
      (await readFromSnapshot(stream, name, eventsFrom)) ??
      keep({ base: undefined, stored: [...first, ...(await read(name, every))] })
    );
  }

  async function decoded(stored: readonly RecordedEvent[]): Promise<readonly Recorded[]> {
    const events: Recorded[] = [];
    for (const one of stored) {
      const found = decode(one);
      const event = found instanceof Promise ? await found : found;
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
      if (rules !== undefined && last !== undefined && stored.length > LONGEST_TAIL) {
        const base = { state: loaded.state, revision: last.revision, eventId: last.id };
        cache.reading(name)({ base, stored: [last] });
      }
      return loaded;
    } catch (error) {
      // Its events may be deleted meanwhile: the next load reads them again.
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

  const loader = { load, cached, check } as unknown as CachingLoader;
  return loader;
}

export function nameOf({ category }: { readonly category: string }, streamId: string): string {
  return `${category}-${streamId}`;
}
