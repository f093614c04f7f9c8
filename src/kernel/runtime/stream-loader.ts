/** Loads streams: the state, the events from a revision on, and the last one that matches. */
import { LRUCache } from 'lru-cache';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { type EventFound, type EventSearch, findLast } from './find-last.ts';
import { createKnownFold } from './known-fold.ts';
import type { KnownStreams } from './known-streams.ts';
import type { Known, Loaded } from './loaded-stream.ts';
import { Rejection } from './rejection.ts';
import type { Milestone, ReadStream, Snapshots } from './snapshots.ts';
import { createStreamReads } from './stream-reads.ts';

/** Long streams of which this process remembers up to where they have a snapshot. */
// By size: `max` would reserve the room of them all for each executor.
const REMEMBERED_SNAPSHOTS = { maxSize: 10_000, sizeCalculation: () => 1 } as const;
const LATEST = Number.MAX_SAFE_INTEGER;

export interface LoadOptions {
  /** The revision from which on all events are wanted. Without it, one event is enough. */
  readonly eventsFrom?: number | undefined;
}

export interface StreamLoader {
  /** Asks the store. */
  load<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    options?: LoadOptions,
  ): Promise<Loaded<State, Event>>;
  /**
   * Asks the store only for what this process does not know. For work that comes again, and for what is decided on
   * together with an append to the same stream.
   */
  known<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
  ): Promise<Known<State, Event>>;
  /**
   * What `judge` makes of what this process knows; where it rejects that, of what the store shows. So nobody is refused by
   * an old state. For checks before something that has a fence of its own; may run twice.
   */
  check<State, Event extends DomainEvent, Result>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    judge: (state: State, known: Known<State, NoInfer<Event>>) => Result | Promise<Result>,
  ): Promise<Result>;
  /** The events from a revision on, as the store shows them. Costs as much as there are. */
  readFrom<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    revision: number,
  ): Promise<readonly Recorded<Event>[]>;
  /** The latest event of the type, or of one of the types, that matches, in what is known as `known` does. */
  findLast<State, Event extends DomainEvent, Type extends Event['type']>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    search: EventSearch<Event, Type>,
  ): Promise<EventFound<Extract<Event, { readonly type: Type }>>>;
  /** Tells that nobody else can have recorded anything in the stream: its id was made a moment ago. */
  assumeNew(stream: { readonly category: string }, streamId: string): void;
}

/** What the decision loop uses besides. */
export interface LoadedForDecision extends StreamLoader {
  /** Without asking the store; undefined where nothing is known. */
  remembered<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
  ): Promise<Known<State, Event> | undefined>;
  /** Tells that this process has appended up to this milestone. */
  appended<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    milestone: Milestone<State>,
  ): void;
}

export interface StreamLoaderOptions {
  readonly read: ReadStream;
  readonly decode: EventReader['read'];
  readonly streams: KnownStreams;
  readonly snapshots: Snapshots;
  /** Called when a snapshot could not be written. */
  readonly snapshotFailed: (error: unknown, stream: string) => void;
}

export function createStreamLoader(options: StreamLoaderOptions): LoadedForDecision {
  const { read, streams, snapshots, snapshotFailed } = options;
  const snapshotAt = new LRUCache<string, number>(REMEMBERED_SNAPSHOTS);
  const readStream = createStreamReads({ read, streams, snapshots, snapshotAt });
  const { fold, decoded } = createKnownFold(options);

  const load: StreamLoader['load'] = async (stream, streamId, { eventsFrom = LATEST } = {}) => {
    const name = nameOf(stream, streamId);
    const known = await fold(stream, name, await readStream(stream, name, eventsFrom));
    return { ...known, isFresh: true };
  };

  const remembered: LoadedForDecision['remembered'] = async (stream, streamId) => {
    const name = nameOf(stream, streamId);
    const known = streams.current(name);
    return known && fold(stream, name, known);
  };

  const known: StreamLoader['known'] = async (stream, streamId) =>
    (await remembered(stream, streamId)) ?? load(stream, streamId);

  return {
    load,
    remembered,
    known,

    async check(stream, streamId, judge) {
      const found = await remembered(stream, streamId);
      if (found !== undefined) {
        try {
          return await judge(found.state, found);
        } catch (refusal) {
          if (!(refusal instanceof Rejection)) throw refusal;
        }
      }
      const loaded = await load(stream, streamId);
      return judge(loaded.state, loaded);
    },

    async readFrom<State, Event extends DomainEvent>(
      stream: StreamDefinition<State, Event>,
      streamId: string,
      revision: number,
    ) {
      // The codec has checked the events against this stream's schemas.
      const { events } = await decoded(await read(nameOf(stream, streamId), revision));
      return events as readonly Recorded<Event>[];
    },

    async findLast(stream, streamId, search) {
      const name = nameOf(stream, streamId);
      return findLast(await known(stream, streamId), search, async (from) => decoded(await read(name, from)));
    },

    assumeNew: (stream, streamId) => streams.assumeNew(nameOf(stream, streamId)),

    appended(stream, streamId, milestone) {
      const { snapshots: rules } = stream;
      if (rules === undefined) return;
      const name = nameOf(stream, streamId);
      if (milestone.revision - (snapshotAt.get(name) ?? -1) < rules.every) return;
      snapshotAt.set(name, milestone.revision);
      // Nobody waits for it: without it, a load takes longer.
      snapshots.take(stream, name, milestone).catch((error: unknown) => snapshotFailed(error, name));
    },
  };
}

export function nameOf({ category }: { readonly category: string }, streamId: string): string {
  return `${category}-${streamId}`;
}
