/**
 * Keeps states of streams that grow for ever, so that a load need not begin at their first event.
 *
 * A stream's snapshots are in a stream of their own, which is named after it and kept short. A snapshot names the event
 * that it includes last, by revision and id, and whoever uses it reads from that event on: a snapshot of another history
 * (a log that was restored, a stream that was replaced) does not find its event, and is ignored. So is one of another
 * version, and one that does not fit its schema. Nothing is lost when all are deleted.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type {
  EventStore,
  EventToAppend,
  ExpectedRevision,
  JsonObject,
  RecordedEvent,
} from '../ports/event-store.ts';
import {
  constructorsOf,
  type DomainEvent,
  defineStream,
  type SnapshotRules,
  type StreamDefinition,
} from './define-stream.ts';
import { type EventCodec, EventShapeError, type Recorded } from './event-codec.ts';
import { eventIdFor, randomId } from './ids.ts';

/** Only the last snapshot is ever read. */
const SNAPSHOTS_KEPT = 1;

export const snapshotEvents = {
  SnapshotTaken: Type.Object({
    /** The last event that the state includes. */
    revision: Type.Integer({ minimum: 0, examples: [99] }),
    eventId: Type.String({
      minLength: 36,
      maxLength: 36,
      examples: ['0f8fad5b-d9cb-469f-a165-70867728950e'],
    }),
    /** The version of the state's form and of the rules that made it. */
    stateVersion: Type.Integer({ minimum: 1, examples: [1] }),
    state: Type.Unsafe<JsonObject>(
      Type.Object({}, { additionalProperties: true, examples: [{ account: 'an address', value: 'a hash' }] }),
    ),
  }),
};

export const { SnapshotTaken } = constructorsOf(snapshotEvents);

type Snapshot = ReturnType<typeof SnapshotTaken>['data'] | undefined;

export const snapshot = defineStream({
  category: 'snapshot',
  events: snapshotEvents,
  internal: { SnapshotTaken: 'It says nothing that the events before it do not say.' },
  initial: undefined as Snapshot,
  evolve: (_earlier, event): Snapshot => event.data,
});

/** A state, and the last event that it includes. */
export interface Milestone<State> {
  readonly state: State;
  readonly revision: number;
  readonly eventId: string;
}

export interface Snapshots {
  /** The stream's last snapshot, if it is of the definition's version and fits; rejects when the store fails. */
  latest<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    name: string,
  ): Promise<Milestone<State> | undefined>;
  /** Writes one, unless another process has written one lately. Rejects when the store fails. */
  take<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    name: string,
    milestone: Milestone<State>,
  ): Promise<void>;
}

/** All events of a stream from a revision on (0 when absent), or so many of them. */
export type ReadStream = (
  stream: string,
  from?: number,
  atMost?: number,
) => Promise<readonly RecordedEvent[]>;

export function createSnapshots(options: {
  readonly store: Pick<EventStore, 'append' | 'keepLast'>;
  readonly read: ReadStream;
  readonly codec: EventCodec;
  readonly now: () => Date;
}): Snapshots {
  const { store, read, codec, now } = options;
  const fits = createFitting();

  async function lastOf(name: string): Promise<{ last: Snapshot; revision: ExpectedRevision }> {
    const stored = (await read(streamOf(name))).at(-1);
    if (stored === undefined) return { last: undefined, revision: 'none' };
    return { last: decoded(codec, stored), revision: stored.revision };
  }

  /** Undefined for one of another version, or in another form. */
  function usable(
    { version, state: schema }: SnapshotRules,
    last: Snapshot,
  ): Milestone<JsonObject> | undefined {
    if (last === undefined || last.stateVersion !== version || !fits(schema, last.state)) return undefined;
    return { state: last.state, revision: last.revision, eventId: last.eventId };
  }

  /** Whether the snapshot is of this history of the stream. */
  async function isOf(name: string, { revision, eventId }: NonNullable<Snapshot>): Promise<boolean> {
    const [event] = await read(name, revision);
    return event?.revision === revision && event.id === eventId;
  }

  return {
    async latest({ snapshots }, name) {
      if (snapshots === undefined) return undefined;
      const known = usable(snapshots, (await lastOf(name)).last);
      // The schema has been checked.
      return known && { ...known, state: known.state as never };
    },

    async take({ snapshots }, name, { state, revision, eventId }) {
      if (snapshots === undefined || !fits(snapshots.state, state)) return;
      const { last, revision: expected } = await lastOf(name);
      const isRecent = last !== undefined && last.revision > revision - snapshots.every;
      if (isRecent && usable(snapshots, last) !== undefined && (await isOf(name, last))) return;
      const taken = SnapshotTaken({
        revision,
        eventId,
        stateVersion: snapshots.version,
        state: state as unknown as JsonObject,
      });
      // When another process was first, its snapshot is as good.
      await store.append(streamOf(name), expected, [encode(codec, taken, now())]);
      await store.keepLast(streamOf(name), SNAPSHOTS_KEPT);
    },
  };
}

/** Each schema is compiled once. */
function createFitting(): (schema: TSchema, state: unknown) => boolean {
  const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();
  return (schema, state) => {
    const check = checks.get(schema) ?? TypeCompiler.Compile(schema);
    checks.set(schema, check);
    return check.Check(state);
  };
}

/** Undefined for one that a later version has written. */
function decoded(codec: EventCodec, stored: RecordedEvent): Snapshot {
  try {
    return (codec.decode(stored) as Recorded<ReturnType<typeof SnapshotTaken>>).data;
  } catch (error) {
    if (error instanceof EventShapeError) return undefined;
    throw error;
  }
}

/** As recorded under a command of its own, which the snapshot's last event has led to. */
function encode(codec: EventCodec, taken: ReturnType<typeof SnapshotTaken>, now: Date): EventToAppend {
  const commandId = randomId();
  return codec.encode(snapshot.category, eventIdFor(commandId, 0), taken, {
    commandId,
    inputHash: '',
    correlationId: commandId,
    causationId: taken.data.eventId,
    actor: 'service:snapshots',
    occurredAt: now.toISOString(),
  });
}

function streamOf(name: string): string {
  return `${snapshot.category}-${name}`;
}
