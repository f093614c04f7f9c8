/**
 * Events that this release cannot decode, and those that operators have quarantined: every reader skips the latter. They are listed in
 * one stream, so that a start reads it whole without searching the log.
 */
import { Type } from '@sinclair/typebox';
import { LRUCache } from 'lru-cache';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import { constructorsOf, defineStream, type EventOf } from './define-stream.ts';
import type { Recorded, UndecodableEvent } from './event-codec.ts';

export const quarantineEvents = {
  EventQuarantined: Type.Object({
    eventId: Type.String({ minLength: 1 }),
    /** The stream and the revision in it: ids that other programs wrote need not be unique. */
    stream: Type.String({ minLength: 1 }),
    revision: Type.Integer({ minimum: 0 }),
    position: Type.String(),
    eventType: Type.String(),
    /** Why it could not be decoded. */
    problem: Type.String(),
    /** Why the operator quarantined it. */
    reason: Type.String({ minLength: 1 }),
    /** The operator's name. */
    by: Type.String({ minLength: 1 }),
    /** ISO 8601, UTC. */
    quarantinedAt: Type.String(),
  }),
};

export const { EventQuarantined } = constructorsOf(quarantineEvents);

export type QuarantinedEvent = EventOf<typeof quarantineEvents>['data'];

/** In the order of quarantining. */
export type QuarantineState = readonly QuarantinedEvent[];

export const quarantine = defineStream({
  category: 'quarantine',
  events: quarantineEvents,
  internal: { EventQuarantined: 'A damaged record concerns the operator, to whom readiness reports it.' },
  initial: [] as QuarantineState,
  evolve: (state, event): QuarantineState => [...state, event.data],
});

/** The id of the only stream. */
export const QUARANTINE_ID = 'events';
export const QUARANTINE_STREAM = `${quarantine.category}-${QUARANTINE_ID}`;

/** The place of an event in the log, by which it is recognized. */
export type EventPlace = Pick<RecordedEvent, 'id' | 'stream' | 'revision'>;

export function quarantinedIn(state: QuarantineState, place: EventPlace): QuarantinedEvent | undefined {
  return state.find(
    ({ eventId, stream, revision }) =>
      eventId === place.id && stream === place.stream && revision === place.revision,
  );
}

/** Names the place in a map of places. */
function keyOfPlace({ stream, revision }: Pick<EventPlace, 'stream' | 'revision'>): string {
  return `${revision} ${stream}`;
}

/** An event that could not be decoded and is not quarantined. */
export interface UndecodableSince extends UndecodableEvent {
  /** ISO 8601: when this process first read it. */
  readonly since: string;
}

export interface Quarantine {
  has(stored: RecordedEvent): boolean;
  /** Reads what has been quarantined since the last call. Rejects when the store does not answer. */
  refresh(): Promise<void>;
  /** In the order of quarantining, as last read. */
  all(): readonly QuarantinedEvent[];
  /** Adds an undecodable event; false if it is listed already. */
  report(event: UndecodableEvent): boolean;
  /** The latest 100. */
  undecodable(): readonly UndecodableSince[];
}

const MOST_LISTED = 100;

export function createQuarantine({
  store,
  decode,
  learned,
}: {
  readonly store: Pick<EventStore, 'read'>;
  /** Undefined for a record that this release cannot read. */
  readonly decode: (stored: RecordedEvent) => Recorded | undefined;
  /** Called after newly quarantined events count. */
  readonly learned: () => void;
}): Quarantine {
  const quarantined = new Map<string, QuarantinedEvent>();
  const undecodable = new LRUCache<string, UndecodableSince>({ max: MOST_LISTED });
  let nextRevision = 0;
  let reading: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  async function readOn(): Promise<void> {
    const before = quarantined.size;
    for await (const stored of store.read(QUARANTINE_STREAM, nextRevision)) {
      nextRevision = stored.revision + 1;
      const event = decode(stored);
      if (event?.type !== 'EventQuarantined') continue;
      // The codec has checked the data against this type's schema.
      const data = event.data as QuarantinedEvent;
      quarantined.set(keyOfPlace(data), data);
      undecodable.delete(keyOfPlace(data));
    }
    if (quarantined.size > before) learned();
  }

  return {
    has: (stored) => quarantined.size > 0 && quarantined.get(keyOfPlace(stored))?.eventId === stored.id,

    /** Serially; callers that wait share the next read, which shows what was recorded before their calls. */
    refresh() {
      queued ??= reading
        .catch(() => undefined)
        .then(() => {
          queued = undefined;
          reading = readOn();
          return reading;
        });
      return queued;
    },

    all: () => [...quarantined.values()],

    report(event) {
      const isNew = undecodable.get(keyOfPlace(event)) === undefined;
      if (isNew) undecodable.set(keyOfPlace(event), { ...event, since: new Date().toISOString() });
      return isNew;
    },
    undecodable: () => [...undecodable.values()].reverse(),
  };
}
