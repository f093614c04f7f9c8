/** Turns events into frames: the bytes that subscribers receive, made when first needed and shared by all subscribers. */

import type { Position } from '../../../kernel/ports/event-store.ts';
import type { Audience } from '../../../kernel/runtime/define-outcome.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import {
  CHECKPOINT_TYPE,
  checkpointOf,
  cloudEventOf,
  cloudEventType,
  type EventAbout,
} from '../../../outcomes/cloud-event.ts';
import { outcomeOfType } from '../../../outcomes/index.ts';
import type { AboutEvent } from '../about-event.ts';
import { marked } from './marked-position.ts';
import { eventBytes } from './server-sent-events.ts';

export interface Frame {
  readonly position: Position;
  /** The outcome's name. */
  readonly name: string;
  readonly audience: Audience;
  readonly about: EventAbout;
  /** Not sent to the public while this token is hidden. */
  readonly hiddenWith: string | undefined;
  bytes(): Buffer;
}

/** Undefined for an event without an outcome. */
export type MakeFrame = (event: Recorded) => Promise<Frame | undefined>;

/** `source` names the log, `mark` its numbering. */
export function createFrameMaker(source: string, mark: string, aboutEvent: AboutEvent): MakeFrame {
  return async (event) => {
    const outcome = outcomeOfType(event.type);
    if (outcome === undefined) return undefined;
    const about = await aboutEvent(event);
    let bytes: Buffer | undefined;
    return {
      position: event.position,
      name: outcome.name,
      audience: outcome.concernsPublic?.(event) === false ? 'operators' : outcome.audience,
      about,
      hiddenWith: outcome.hiddenWith?.(event),
      bytes() {
        bytes ??= eventBytes({
          id: marked(event.position, mark),
          type: cloudEventType(outcome),
          data: JSON.stringify(cloudEventOf(outcome, event, source, about)),
        });
        return bytes;
      },
    };
  };
}

/**
 * Tells a subscriber its position, and nothing else. It is an event with data, because many clients remember only the ids of such
 * events.
 */
export function checkpointBytes(
  position: Position,
  { source, mark }: { readonly source: string; readonly mark: string },
): Buffer {
  const data = JSON.stringify(checkpointOf(position, source));
  return eventBytes({ id: marked(position, mark), type: CHECKPOINT_TYPE, data });
}
