/**
 * Loads streams: the state, and the events that are asked for. A stream that grows for ever is read from its last
 * milestone on: the state that this process remembers, or else the last snapshot. What was read first must be the
 * milestone's own event; otherwise the stream is read from its first event.
 */
import { type ExpectedRevision, type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import type { Milestone, ReadStream, Snapshots } from './snapshots.ts';

/** States of long streams that this process remembers. */
const REMEMBERED = 1_000;
/** Events read at first, and by how much more each time, when an event is looked for from the end. */
const FIRST_WINDOW = 100;
const WINDOW_GROWTH = 10;

export interface Loaded<State, Event extends DomainEvent> {
  readonly state: State;
  readonly revision: ExpectedRevision;
  /** The stream's latest events, all those from `LoadOptions.eventsFrom` on among them; of a long stream not all. */
  readonly events: readonly Recorded<Event>[];
  /** The position of the stream's last event; undefined when it has none. */
  readonly position: Position | undefined;
  /** The state right after one of `events`. */
  readonly stateAfter: (event: Recorded<Event>) => State;
}

export interface LoadOptions {
  /** The revision from which on all events are wanted. Without it, one event is enough. */
  readonly eventsFrom?: number | undefined;
}

export interface EventSearch<Event extends DomainEvent, Type extends Event['type']> {
  readonly type: Type | readonly Type[];
  readonly matches?: (event: Recorded<Extract<Event, { readonly type: Type }>>) => boolean;
  /** Exclusive. The search costs as much as there are events after it. */
  readonly after?: Position | undefined;
}

export interface EventFound<Event extends DomainEvent> {
  readonly event: Recorded<Event> | undefined;
  /** The stream's last revision when it was searched. */
  readonly revision: ExpectedRevision;
}

export interface StreamLoader {
  load<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    options?: LoadOptions,
  ): Promise<Loaded<State, Event>>;
  /** The events from a revision on. Costs as much as there are. */
  readFrom<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    revision: number,
  ): Promise<readonly Recorded<Event>[]>;
  /** The latest event of the type, or of one of the types, that matches. */
  findLast<State, Event extends DomainEvent, Type extends Event['type']>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    search: EventSearch<Event, Type>,
  ): Promise<EventFound<Extract<Event, { readonly type: Type }>>>;
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
  readonly snapshots: Snapshots;
  /** Called when a snapshot could not be written. */
  readonly snapshotFailed: (error: unknown, stream: string) => void;
}

export function createStreamLoader(options: StreamLoaderOptions): StreamLoader {
  const { read, decode, snapshots, snapshotFailed } = options;
  /** By stream, the one used longest ago first. */
  const remembered = new Map<string, Milestone<unknown>>();
  /** By stream, the revision of the last snapshot that this process knows of; -1 for none. */
  const lastSnapshots = new Map<string, number>();

  function remember(name: string, milestone: Milestone<unknown>): void {
    const before = remembered.get(name);
    // A call that took longer must not bring back an older state.
    if (before !== undefined && before.revision > milestone.revision) return;
    remembered.delete(name);
    remembered.set(name, milestone);
    const [oldest] = remembered.keys();
    if (remembered.size <= REMEMBERED || oldest === undefined) return;
    remembered.delete(oldest);
    lastSnapshots.delete(oldest);
  }

  /** `first` and `last` as they are stored: quarantined events are not decoded, but count. */
  async function readDecoded(name: string, from: number) {
    const stored: readonly RecordedEvent[] = await read(name, from);
    const events: Recorded[] = [];
    for (const one of stored) {
      const found = decode(one);
      const event = found instanceof Promise ? await found : found;
      if (event !== undefined) events.push(event);
    }
    return { events: events as readonly Recorded[], first: stored[0], last: stored.at(-1) };
  }

  /** Undefined when the milestone's event is not there. */
  async function loadFrom<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    name: string,
    milestone: Milestone<State> | undefined,
  ): Promise<Loaded<State, Event> | undefined> {
    const { first, last, ...read } = await readDecoded(name, milestone?.revision ?? 0);
    // The codec has checked the events against this stream's schemas.
    const events = read.events as readonly Recorded<Event>[];
    if (milestone !== undefined) {
      if (first?.revision !== milestone.revision || first.id !== milestone.eventId) return undefined;
    }
    const { state: begun, revision: after } = milestone ?? { state: stream.initial, revision: -1 };
    const stateAt = (revision: number): State =>
      events
        .filter((event) => event.revision > after && event.revision <= revision)
        .reduce<State>(stream.evolve, begun);
    const state = stateAt(last?.revision ?? after);
    if (stream.snapshots !== undefined && last !== undefined) {
      remember(name, { state, revision: last.revision, eventId: last.id });
    }
    return {
      state,
      events,
      revision: last?.revision ?? 'none',
      position: last?.position,
      stateAfter: (event) => stateAt(event.revision),
    };
  }

  async function load<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    streamId: string,
    { eventsFrom = Number.MAX_SAFE_INTEGER }: LoadOptions = {},
  ): Promise<Loaded<State, Event>> {
    const name = nameOf(stream, streamId);
    if (stream.snapshots !== undefined && eventsFrom > 0) {
      const loaded =
        (await loadRemembered(stream, name, eventsFrom)) ?? (await loadSnapshot(stream, name, eventsFrom));
      if (loaded !== undefined) return loaded;
    }
    const loaded = await loadFrom(stream, name, undefined);
    if (loaded === undefined) throw new Error('a load without a milestone is complete');
    return loaded;
  }

  async function loadRemembered<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    name: string,
    eventsFrom: number,
  ): Promise<Loaded<State, Event> | undefined> {
    // Only loads of this very stream remember anything under its name.
    const own = remembered.get(name) as Milestone<State> | undefined;
    if (own === undefined || own.revision > eventsFrom) return undefined;
    const loaded = await loadFrom(stream, name, own);
    if (loaded === undefined) remembered.delete(name);
    return loaded;
  }

  async function loadSnapshot<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    name: string,
    eventsFrom: number,
  ): Promise<Loaded<State, Event> | undefined> {
    const latest = await snapshots.latest(stream, name);
    lastSnapshots.set(name, latest?.revision ?? -1);
    if (latest === undefined || latest.revision > eventsFrom) return undefined;
    const loaded = await loadFrom(stream, name, latest);
    if (loaded === undefined) lastSnapshots.set(name, -1);
    return loaded;
  }

  return {
    load,

    async readFrom<State, Event extends DomainEvent>(
      stream: StreamDefinition<State, Event>,
      streamId: string,
      revision: number,
    ) {
      return (await readDecoded(nameOf(stream, streamId), revision)).events as readonly Recorded<Event>[];
    },

    async findLast<State, Event extends DomainEvent, Type extends Event['type']>(
      stream: StreamDefinition<State, Event>,
      streamId: string,
      { type, matches = () => true, after = START }: EventSearch<Event, Type>,
    ) {
      type Wanted = Recorded<Extract<Event, { readonly type: Type }>>;
      const types: readonly string[] = [type].flat();
      const isWanted = (event: Recorded): event is Wanted =>
        types.includes(event.type) && event.position > after && matches(event as Wanted);
      const name = nameOf(stream, streamId);
      const loaded = await load(stream, streamId);
      if (loaded.revision === 'none') return { event: undefined, revision: 'none' };
      let { revision, events }: { revision: ExpectedRevision; events: readonly Recorded[] } = loaded;
      let from = events[0]?.revision ?? loaded.revision;
      for (let window = FIRST_WINDOW; ; window *= WINDOW_GROWTH) {
        const event = events.findLast(isWanted);
        const [first] = events;
        const isComplete = from === 0 || (first !== undefined && first.position <= after);
        if (event !== undefined || isComplete) return { event, revision };
        from = Math.max(0, loaded.revision + 1 - window);
        const page = await readDecoded(name, from);
        events = page.events;
        revision = page.last?.revision ?? revision;
      }
    },

    appended(stream, streamId, milestone) {
      const { snapshots: rules } = stream;
      if (rules === undefined) return;
      const name = nameOf(stream, streamId);
      const before = lastSnapshots.get(name) ?? -1;
      remember(name, milestone);
      if (milestone.revision - before < rules.every) return;
      lastSnapshots.set(name, milestone.revision);
      // Nobody waits for it: without it, a load takes longer.
      snapshots.take(stream, name, milestone).catch((error: unknown) => snapshotFailed(error, name));
    },
  };
}

export function nameOf({ category }: { readonly category: string }, streamId: string): string {
  return `${category}-${streamId}`;
}
