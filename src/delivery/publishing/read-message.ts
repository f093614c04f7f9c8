/** What the bus is given of an event: the same CloudEvent that subscribers of `GET /events` get. */
import { cloudEventOf } from '../../outcomes/cloud-event.ts';
import { internalEvents } from '../../outcomes/index.ts';
import { outcomeOfType } from '../../outcomes/outcome-of-type.ts';
import type { RecordedEvent } from '../../ports/event-store.ts';
import type { PublisherMessage } from '../../ports/publisher.ts';
import type { EventCodec } from '../../runtime/event-codec.ts';

/** Undefined for an event of which nobody is told. Throws `EventShapeError` for one that cannot be read. */
export type ReadMessage = (event: RecordedEvent) => PublisherMessage | undefined;

/** `source` names the log. */
export function createMessageReader(codec: EventCodec, source: string): ReadMessage {
  return (stored) => {
    if (Object.hasOwn(internalEvents, stored.type)) return undefined;
    const event = codec.decode(stored);
    const outcome = outcomeOfType(event.type);
    if (outcome === undefined) return undefined;
    return {
      id: event.eventId,
      position: event.position,
      name: outcome.name,
      body: JSON.stringify(cloudEventOf(outcome, event, source)),
    };
  };
}
