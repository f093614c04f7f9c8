/**
 * Makes every reader skip an event that no release can decode. The event remains in the log with its revision. No state
 * ever included it, so every rebuild gives the same result. A repeated call changes nothing.
 */

import { Type } from '@sinclair/typebox';
import { categoryOf } from '../kernel/ports/append-rules.ts';
import type { EventStore, RecordedEvent } from '../kernel/ports/event-store.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { type EventCodec, EventUndecodable, type UndecodableEvent } from '../kernel/runtime/event-codec.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import { storeUnavailableRejection } from '../kernel/runtime/execute.ts';
import {
  EventQuarantined,
  QUARANTINE_ID,
  type QuarantineState,
  quarantine,
  quarantinedIn,
} from '../kernel/runtime/quarantine.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { rejection } from '../streams/rejections.ts';
import { service } from '../streams/service.ts';
import { QuarantinedEventView } from '../views/quarantined-event.ts';
import { operatorName, Reason, readReason } from './operator-reason.ts';

interface QuarantineServices extends RuntimeServices {
  readonly events: {
    readonly reader: Pick<EventReader, 'undecodable' | 'refresh'>;
    readonly codec: Pick<EventCodec, 'decode'>;
    readonly store: Pick<EventStore, 'read'>;
  };
}

export const quarantineEvent = commandsFor<QuarantineServices>()({
  name: 'QuarantineEvent',
  summary: 'Quarantine an event that cannot be decoded',
  description:
    'Every process skips the event from then on. `/ready` and `GET /operator/events/undecodable` show its id. ' +
    'Send `stream` and `revision` for an event that this process has not read.',
  route: { method: 'POST', url: '/operator/events/:eventId/quarantine', auth: 'operator', limit: 'operator' },
  input: {
    params: Type.Object({
      eventId: Type.String({
        minLength: 1,
        maxLength: 200,
        examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'],
      }),
    }),
    body: Type.Object(
      {
        reason: Reason,
        stream: Type.Optional(Type.String({ minLength: 3, maxLength: 500, examples: ['token-3f2b9a54'] })),
        revision: Type.Optional(
          Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [3] }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: QuarantinedEventView,
  rejections: [
    'EVENT_NOT_FOUND',
    'EVENT_DECODABLE',
    'EVENT_OF_NEWER_VERSION',
    'EVENT_INDISPENSABLE',
    'STORE_UNAVAILABLE',
  ],
  stream: quarantine,
  streamId: () => QUARANTINE_ID,

  async prepare({ params: { eventId }, body }, { services: { executor, clock, events } }) {
    const reason = readReason(body.reason);
    const wanted = placeIn(body);
    const { state } = await executor.load(quarantine, QUARANTINE_ID);
    const known = find(state, eventId, wanted);
    if (known !== undefined) return { place: known, reason, quarantinedAt: clock.now().toISOString() };
    const place = wanted ?? events.reader.undecodable().find((met) => met.eventId === eventId);
    const stored = place && (await eventAt(events.store, place));
    if (stored?.id !== eventId) throw eventNotFoundRejection(wanted !== undefined);
    return { place: requireLost(events.codec, stored), reason, quarantinedAt: clock.now().toISOString() };
  },

  decide(state, { params: { eventId } }, { place, reason, quarantinedAt }, actor) {
    const { stream, revision, position, eventType, problem } = place;
    if (quarantinedIn(state, { id: eventId, stream, revision }) !== undefined) return [];
    const by = operatorName(actor);
    return [
      EventQuarantined({
        eventId,
        stream,
        revision,
        position,
        eventType,
        problem,
        reason,
        by,
        quarantinedAt,
      }),
    ];
  },

  async respond(state, { params: { eventId }, body }, { services: { events } }) {
    // Readers of this process continue immediately.
    await events.reader.refresh().catch(() => undefined);
    const found = find(state, eventId, placeIn(body));
    if (found === undefined) throw eventNotFoundRejection(true);
    return found;
  },
});

type Place = Pick<RecordedEvent, 'stream' | 'revision'>;

function placeIn(body: { readonly stream?: string; readonly revision?: number }): Place | undefined {
  const { stream, revision } = body;
  if (stream === undefined && revision === undefined) return undefined;
  if (stream !== undefined && revision !== undefined) return { stream, revision };
  throw rejection('VALIDATION_FAILED', 'Send stream and revision together.', {
    details: [{ path: [stream === undefined ? 'stream' : 'revision'], message: 'is required' }],
  });
}

/** Finds the latest quarantine of the id, at the given stream and revision if any. */
function find(state: QuarantineState, eventId: string, place: Place | undefined) {
  return place === undefined
    ? state.findLast((each) => each.eventId === eventId)
    : quarantinedIn(state, { id: eventId, ...place });
}

async function eventAt(
  store: Pick<EventStore, 'read'>,
  { stream, revision }: Place,
): Promise<RecordedEvent | undefined> {
  try {
    for await (const event of store.read(stream, revision)) {
      return event.revision === revision ? event : undefined;
    }
  } catch (cause) {
    throw storeUnavailableRejection(cause);
  }
  return undefined;
}

/** Returns the event if no release can decode it and the service can work without it. */
function requireLost(codec: Pick<EventCodec, 'decode'>, stored: RecordedEvent): UndecodableEvent {
  const found = problemOf(codec, stored);
  if (found === undefined) {
    throw rejection(
      'EVENT_DECODABLE',
      'This release can decode the event; skipping it would make read models inconsistent.',
    );
  }
  if (found.isNewer) {
    throw rejection(
      'EVENT_OF_NEWER_VERSION',
      'A newer release recorded this event and can decode it; start that release.',
    );
  }
  const category = categoryOf(stored.stream);
  if (category === service.category) {
    throw rejection(
      'EVENT_INDISPENSABLE',
      'This event ties the log to its seed and its chain; restore the log from a backup.',
    );
  }
  if (category === quarantine.category) {
    throw rejection('EVENT_INDISPENSABLE', 'Readers skip damaged quarantine records automatically.');
  }
  return found;
}

function problemOf(codec: Pick<EventCodec, 'decode'>, stored: RecordedEvent): UndecodableEvent | undefined {
  try {
    codec.decode(stored);
    return undefined;
  } catch (error) {
    if (error instanceof EventUndecodable) return error.event;
    throw error;
  }
}

function eventNotFoundRejection(isPlaced: boolean) {
  return rejection(
    'EVENT_NOT_FOUND',
    isPlaced
      ? 'No event with this id exists at this stream and revision.'
      : 'This process has not read an undecodable event with this id; send its stream and revision.',
  );
}
