/** Turns events into messages for the bus: the same CloudEvents that subscribers of `GET /events` receive. */
import { cloudEventOf } from '../../outcomes/cloud-event.ts';
import type { RecordedEvent } from '../../ports/event-store.ts';
import type { PublisherMessage } from '../../ports/publisher.ts';
import type { EventCodec } from '../../runtime/event-codec.ts';
import { readOutcomeEvent } from '../outcome-event.ts';

/** Undefined for an event without an outcome. Throws `EventShapeError` for an event that cannot be read. */
export type ReadMessage = (event: RecordedEvent) => PublisherMessage | undefined;

/** `source` names the log. */
export function createMessageReader(codec: EventCodec, source: string): ReadMessage {
  return (stored) => {
    const found = readOutcomeEvent(codec, stored);
    if (found === undefined) return undefined;
    const { event, outcome } = found;
    return {
      id: event.eventId,
      position: event.position,
      name: outcome.name,
      body: JSON.stringify(cloudEventOf(outcome, event, source)),
    };
  };
}
