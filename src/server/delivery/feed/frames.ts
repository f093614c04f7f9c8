/** Converts events to frames: the bytes that subscribers receive, built on first use and shared by all subscribers. */
import { createHash } from 'node:crypto';
import type { Position, RecordedEvent } from '../../../kernel/ports/event-store.ts';
import type { Audience } from '../../../kernel/runtime/define-outcome.ts';
import type { EventUndecodable, Recorded } from '../../../kernel/runtime/event-codec.ts';
import {
  CHECKPOINT_TYPE,
  checkpointOf,
  cloudEventOf,
  cloudEventType,
  type EventAbout,
} from '../../../outcomes/cloud-event.ts';
import { outcomeOfType } from '../../../outcomes/index.ts';
import type { AboutEvent } from '../outcome-events.ts';

export interface Frame {
  readonly position: Position;
  /** Name of the outcome. */
  readonly name: string;
  readonly audience: Audience;
  readonly about: EventAbout;
  /** Id of the token; the frame is not sent to the public while the token is hidden. */
  readonly hiddenWith: string | undefined;
  bytes(): Buffer;
}

/** Reads the frames of stored events up to the first undecodable one; `passed` are the events before that. */
export type ReadFrames = (events: readonly RecordedEvent[]) => Promise<{
  readonly frames: readonly Frame[];
  readonly recorded: readonly Recorded[];
  readonly passed: readonly RecordedEvent[];
  readonly undecodable: EventUndecodable | undefined;
}>;

/** `source` names the log, `mark` its numbering. The function returns undefined for an event without an outcome. */
export function createFrameMaker(source: string, mark: string, aboutEvent: AboutEvent) {
  return async (event: Recorded): Promise<Frame | undefined> => {
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

/** Reports a subscriber's position. It is an event with data, because many clients store only the ids of such events. */
export function checkpointBytes(
  position: Position,
  { source, mark }: { readonly source: string; readonly mark: string },
): Buffer {
  const data = JSON.stringify(checkpointOf(position, source));
  return eventBytes({ id: marked(position, mark), type: CHECKPOINT_TYPE, data });
}

export const EVENT_STREAM = 'text/event-stream';

/** Comment that keeps the connection alive. It has no empty line, at which some clients would deliver an empty event. */
export const HEARTBEAT = Buffer.from(':\n');

/**
 * Writes a server-sent event (WHATWG HTML, 9.2) as bytes that all subscribers share. better-sse 0.16 builds each event
 * again for every session, and ignores the number of buffered bytes. `data` must not contain line ends; JSON text has
 * none.
 */
function eventBytes(event: { readonly id: string; readonly type: string; readonly data: string }): Buffer {
  return Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.data}\n\n`);
}

/** Reconnection delay of clients. Like the heartbeat, it has no empty line, so it belongs to the next block. */
export function retryBytes(milliseconds: number): Buffer {
  return Buffer.from(`retry: ${Math.round(milliseconds)}\n`);
}

/*
 * Ids of the stream: a position, with a mark of the log's numbering. The same position identifies another event in
 * another store, and the mark detects that. A position without a mark, such as an `X-Position`, counts as this
 * log's.
 */

const MARKED = /^(.+)\.([0-9a-f]{8})$/;

/** Hashes the first event's id and position: in a copy with other positions, the first event has another one. */
export function markOf({ id, position }: Pick<RecordedEvent, 'id' | 'position'>): string {
  return createHash('sha256').update(`${id} ${position}`).digest('hex').slice(0, 8);
}

export function marked(position: Position, mark: string): string {
  return `${position}.${mark}`;
}

/** Returns the position; undefined for an id of another numbering. */
export function positionIn(id: string, mark: string): Position | undefined {
  const [, position, found] = MARKED.exec(id) ?? [];
  if (position === undefined) return id;
  return found === mark ? position : undefined;
}
