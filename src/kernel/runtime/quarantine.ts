/**
 * The stream that lists the events that operators have quarantined: no release can decode them, and every reader skips
 * them. It is one stream, so that a start reads it whole without searching the log.
 */
import { Type } from '@sinclair/typebox';
import type { RecordedEvent } from '../ports/event-store.ts';
import { constructorsOf, defineStream, type EventOf } from './define-stream.ts';

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
    /** Why the operator gave it up. */
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
  internal: { EventQuarantined: 'A damaged record concerns the operator, who is told by readiness.' },
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
export function keyOfPlace({ stream, revision }: Pick<EventPlace, 'stream' | 'revision'>): string {
  return `${revision} ${stream}`;
}
