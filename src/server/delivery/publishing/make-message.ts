/** Turns events into messages for the bus: the same CloudEvents that subscribers of `GET /events` receive. */

import type { PublisherMessage } from '../../../kernel/ports/publisher.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import { cloudEventOf } from '../../../outcomes/cloud-event.ts';
import { outcomeOfType } from '../../../outcomes/index.ts';
import type { AboutEvent } from '../about-event.ts';

/** Undefined for an event without an outcome. */
export type MakeMessage = (event: Recorded) => Promise<PublisherMessage | undefined>;

/** `source` names the log. */
export function createMessageMaker(source: string, aboutEvent: AboutEvent): MakeMessage {
  return async (event) => {
    const outcome = outcomeOfType(event.type);
    if (outcome === undefined) return undefined;
    return {
      id: event.eventId,
      position: event.position,
      name: outcome.name,
      body: JSON.stringify(cloudEventOf(outcome, event, source, await aboutEvent(event))),
    };
  };
}
