/** Loads streams: the state, the events from a revision on, and the last one that matches. */
import type { RecordedEvent } from '../ports/event-store.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { type EventFound, type EventSearch, findLast } from './find-last.ts';
import { createStreamLoad } from './load-stream.ts';
import type { Loaded, StreamEnd } from './loaded-stream.ts';
import { createRememberedMilestones } from './remembered-milestones.ts';
import type { Milestone, ReadStream, Snapshots } from './snapshots.ts';

/** States of long streams that this process remembers. */
const REMEMBERED = 1_000;

export interface LoadOptions {
  /** The revision from which on all events are wanted. Without it, one event is enough. */
  readonly eventsFrom?: number | undefined;
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
  const { snapshots, snapshotFailed } = options;
  const remembered = createRememberedMilestones(REMEMBERED);
  const readEnd = (name: string, from: number) => readDecoded(options, name, from);
  const loadStream = createStreamLoad({ remembered, snapshots, readEnd });
  const load: StreamLoader['load'] = (stream, streamId, { eventsFrom } = {}) =>
    loadStream(stream, nameOf(stream, streamId), eventsFrom);

  return {
    load,

    async readFrom<State, Event extends DomainEvent>(
      stream: StreamDefinition<State, Event>,
      streamId: string,
      revision: number,
    ) {
      // The codec has checked the events against this stream's schemas.
      return (await readEnd(nameOf(stream, streamId), revision)).events as readonly Recorded<Event>[];
    },

    async findLast(stream, streamId, search) {
      const name = nameOf(stream, streamId);
      return findLast(await load(stream, streamId), search, (from) => readEnd(name, from));
    },

    appended(stream, streamId, milestone) {
      const { snapshots: rules } = stream;
      if (rules === undefined) return;
      const name = nameOf(stream, streamId);
      const before = remembered.snapshotAt(name);
      remembered.remember(name, milestone);
      if (milestone.revision - before < rules.every) return;
      remembered.noteSnapshot(name, milestone.revision);
      // Nobody waits for it: without it, a load takes longer.
      snapshots.take(stream, name, milestone).catch((error: unknown) => snapshotFailed(error, name));
    },
  };
}

async function readDecoded(
  { read, decode }: Pick<StreamLoaderOptions, 'read' | 'decode'>,
  name: string,
  from: number,
): Promise<StreamEnd> {
  const stored: readonly RecordedEvent[] = await read(name, from);
  const events: Recorded[] = [];
  for (const one of stored) {
    const found = decode(one);
    const event = found instanceof Promise ? await found : found;
    if (event !== undefined) events.push(event);
  }
  return { events, first: stored[0], last: stored.at(-1) };
}

export function nameOf({ category }: { readonly category: string }, streamId: string): string {
  return `${category}-${streamId}`;
}
