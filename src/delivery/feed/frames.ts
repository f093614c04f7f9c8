/** What subscribers are told of an event, as bytes that are made when they are first needed and once for all of them. */
import { CHECKPOINT_TYPE, checkpointOf, cloudEventOf, cloudEventType } from '../../outcomes/cloud-event.ts';
import { internalEvents } from '../../outcomes/index.ts';
import { outcomeOfType } from '../../outcomes/outcome-of-type.ts';
import type { Position, RecordedEvent } from '../../ports/event-store.ts';
import type { EventCodec } from '../../runtime/event-codec.ts';
import { eventBytes } from './server-sent-events.ts';

export interface Frame {
  readonly position: Position;
  /** Of the outcome. */
  readonly name: string;
  readonly isPublic: boolean;
  /** While this token is hidden, the public is not told. */
  readonly hiddenWith: string | undefined;
  bytes(): Buffer;
}

/** Undefined for an event of which nobody is told. Throws `EventShapeError` for one that cannot be read. */
export type ReadFrame = (event: RecordedEvent) => Frame | undefined;

/** `source` names the log. */
export function createFrameReader(codec: EventCodec, source: string): ReadFrame {
  return (stored) => {
    if (Object.hasOwn(internalEvents, stored.type)) return undefined;
    const event = codec.decode(stored);
    const outcome = outcomeOfType(event.type);
    if (outcome === undefined) return undefined;
    let bytes: Buffer | undefined;
    return {
      position: event.position,
      name: outcome.name,
      isPublic: outcome.audience === 'public',
      hiddenWith: outcome.hiddenWith?.(event),
      bytes() {
        bytes ??= eventBytes({
          id: event.position,
          type: cloudEventType(outcome),
          data: JSON.stringify(cloudEventOf(outcome, event, source)),
        });
        return bytes;
      },
    };
  };
}

/**
 * Tells nothing but how far the subscriber has come. It is an event with data, since many clients take the id of nothing
 * else for the one to go on after.
 */
export function checkpointBytes(position: Position, source: string): Buffer {
  const data = JSON.stringify(checkpointOf(position, source));
  return eventBytes({ id: position, type: CHECKPOINT_TYPE, data });
}
