/**
 * Events that operators have quarantined because this release cannot decode them; all readers skip them. Listed in one
 * stream, which startup reads without searching the log.
 */
import { Type } from '@sinclair/typebox';
import type { RecordedEvent } from '../ports/event-store.ts';
import { constructorsOf, defineStream, type EventOf } from './define-stream.ts';

const quarantineEvents = {
  EventQuarantined: Type.Object({
    eventId: Type.String({ minLength: 1 }),
    /** Stream and revision identify the event, because ids from other programs may not be unique. */
    stream: Type.String({ minLength: 1 }),
    revision: Type.Integer({ minimum: 0 }),
    position: Type.String(),
    eventType: Type.String(),
    /** Decoding error. */
    problem: Type.String(),
    /** Reason given by the operator. */
    reason: Type.String({ minLength: 1 }),
    by: Type.String({ minLength: 1 }),
    /** ISO 8601, UTC. */
    quarantinedAt: Type.String(),
  }),
};

export const { EventQuarantined } = constructorsOf(quarantineEvents);

type QuarantineEvent = EventOf<typeof quarantineEvents>;

export type QuarantinedEvent = QuarantineEvent['data'];

/** In the order of quarantining. */
export type QuarantineState = readonly QuarantinedEvent[];

export const quarantine = defineStream({
  category: 'quarantine',
  events: quarantineEvents,
  internal: { EventQuarantined: 'A damaged record concerns only operators; readiness reports it.' },
  initial: [] as QuarantineState,
  evolve: (state, event): QuarantineState => [...state, event.data],
});

export const QUARANTINE_ID = 'events';
export const QUARANTINE_STREAM = `${quarantine.category}-${QUARANTINE_ID}`;

/** Identifies an event in the log. */
type EventPlace = Pick<RecordedEvent, 'id' | 'stream' | 'revision'>;

export function quarantinedIn(state: QuarantineState, place: EventPlace): QuarantinedEvent | undefined {
  return state.find(
    ({ eventId, stream, revision }) =>
      eventId === place.id && stream === place.stream && revision === place.revision,
  );
}

export function keyOfPlace({ stream, revision }: Pick<EventPlace, 'stream' | 'revision'>): string {
  return `${revision} ${stream}`;
}
