/**
 * Events that operators have quarantined, because this release cannot decode them: every reader skips them. They are listed in
 * one stream, so that a start reads it whole without searching the log.
 */
import { Type } from '@sinclair/typebox';
import type { RecordedEvent } from '../ports/event-store.ts';
import { constructorsOf, defineStream, type EventOf } from './define-stream.ts';

const quarantineEvents = {
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

type QuarantineEvent = EventOf<typeof quarantineEvents>;

export type QuarantinedEvent = QuarantineEvent['data'];

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
type EventPlace = Pick<RecordedEvent, 'id' | 'stream' | 'revision'>;

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
