/**
 * Stores states of long streams, so that a load need not begin at the first event.
 *
 * The snapshots of a stream are in a separate, short stream named after it. A snapshot contains the revision and id of the
 * last event that it includes, and a load reads from that event on. Snapshots of another history (a restored log, a replaced
 * stream) do not match the event, and are ignored; so are snapshots of another version, and snapshots that do not match their
 * schema. Deleting all snapshots loses nothing.
 */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { EventStore, JsonObject, RecordedEvent } from '../ports/event-store.ts';
import { constructorsOf, defineStream, type StreamDefinition } from './define-stream.ts';
import { type EventCodec, EventShapeError, type Recorded } from './event-codec.ts';
import { eventIdFor, randomId } from './ids.ts';

/** Only the last snapshot is ever read. */
const MAX_SNAPSHOTS = 1;

const snapshotEvents = {
  SnapshotTaken: Type.Object({
    /** Last event that the state includes. */
    revision: Type.Integer({ minimum: 0, examples: [99] }),
    eventId: Type.String({
      minLength: 36,
      maxLength: 36,
      examples: ['0f8fad5b-d9cb-469f-a165-70867728950e'],
    }),
    /** Version of the state's schema and of the rules that computed it. */
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
  internal: { SnapshotTaken: 'A snapshot only repeats earlier events.' },
  initial: undefined as Snapshot,
  evolve: (_earlier, event): Snapshot => event.data,
});

/** State with the last event that it includes. */
export interface Milestone<State> {
  readonly state: State;
  readonly revision: number;
  readonly eventId: string;
}

/** Stream that may have snapshots. */
type LongStream = Pick<StreamDefinition<never, never>, 'snapshots'>;

export type Snapshots = ReturnType<typeof createSnapshots>;

/** Reads the events of a stream from a revision on (default 0), at most `atMost`. */
export type ReadStream = (
  stream: string,
  from?: number,
  atMost?: number,
) => Promise<readonly RecordedEvent[]>;

export function createSnapshots(options: {
  readonly store: Pick<EventStore, 'append' | 'setMaxCount'>;
  readonly read: ReadStream;
  readonly codec: EventCodec;
  readonly now: () => Date;
}) {
  const { store, read, codec, now } = options;
  const lastOf = async (name: string) => (await read(streamOf(name))).at(-1);

  return {
    /** Last snapshot of the stream, if it has the definition's version and matches its schema. Rejects if the store fails. */
    async latest({ snapshots }: LongStream, name: string): Promise<Milestone<unknown> | undefined> {
      const stored = snapshots && (await lastOf(name));
      const last = stored && decoded(codec, stored);
      if (last === undefined || last.stateVersion !== snapshots?.version) return undefined;
      return Value.Check(snapshots.state, last.state) ? last : undefined;
    },

    /** Rejects if the store fails. */
    async take({ snapshots }: LongStream, name: string, milestone: Milestone<unknown>): Promise<void> {
      if (snapshots === undefined) return;
      const { revision, eventId } = milestone;
      const state = milestone.state as JsonObject;
      const taken = SnapshotTaken({ revision, eventId, stateVersion: snapshots.version, state });
      const commandId = randomId();
      const encoded = codec.encode(snapshot.category, eventIdFor(commandId, 0), taken, {
        commandId,
        inputHash: '',
        correlationId: commandId,
        causationId: eventId,
        actor: 'service:snapshots',
        occurredAt: now().toISOString(),
      });
      // If another process appends first, its snapshot is equivalent.
      await store.append(streamOf(name), (await lastOf(name))?.revision ?? 'none', [encoded]);
      await store.setMaxCount(streamOf(name), MAX_SNAPSHOTS);
    },
  };
}

/** Undefined for a snapshot of a later version. */
function decoded(codec: EventCodec, stored: RecordedEvent): Snapshot {
  try {
    return (codec.decode(stored) as Recorded<ReturnType<typeof SnapshotTaken>>).data;
  } catch (error) {
    if (error instanceof EventShapeError) return undefined;
    throw error;
  }
}

function streamOf(name: string): string {
  return `${snapshot.category}-${name}`;
}
