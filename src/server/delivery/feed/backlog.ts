/** Reads the backlog for subscribers that catch up, one stretch of the log at a time, with few reads of the store at once. */
import pLimit from 'p-limit';
import type { EventStore, Position, RecordedEvent } from '../../../kernel/ports/event-store.ts';
import { EventUndecodable } from '../../../kernel/runtime/event-codec.ts';
import type { EventReader } from '../../../kernel/runtime/event-reader.ts';
import { mayHaveOutcome } from '../outcome-event.ts';
import type { Frame, MakeFrame } from './frames.ts';

export interface Stretch {
  /** In order. */
  readonly frames: readonly Frame[];
  /** Everything up to here has been read. */
  readonly position: Position;
}

/** Rejects when the store does not answer, and with `EventUndecodable` when the very next event cannot be decoded. */
export type ReadBacklog = (position: Position) => Promise<Stretch>;

/** Events per stretch. */
const LENGTH = 256;
/** Stores may have few connections, and many subscribers may catch up at once. */
const AT_A_TIME = 8;

export function createBacklogReader(options: {
  readonly store: EventStore;
  readonly categories: readonly string[];
  readonly reader: Pick<EventReader, 'read' | 'mayBecome'>;
  readonly makeFrame: MakeFrame;
  readonly signal: AbortSignal;
}): ReadBacklog {
  const { store, categories, reader, makeFrame, signal } = options;
  const limit = pLimit(AT_A_TIME);
  const pending = new Map<Position, Promise<Stretch>>();

  async function readFrame(stored: RecordedEvent): Promise<Frame | undefined> {
    const event = reader.mayBecome(stored, mayHaveOutcome) ? await reader.read(stored) : undefined;
    return event && makeFrame(event);
  }

  async function readStretch(after: Position): Promise<Stretch> {
    const frames: Frame[] = [];
    let position = after;
    let seen = 0;
    for await (const message of store.subscribe({ after, categories, signal })) {
      if (message.kind !== 'event') {
        if (message.position > position) position = message.position;
        if (message.kind === 'caught-up') break;
        continue;
      }
      try {
        const frame = await readFrame(message.event);
        if (frame !== undefined) frames.push(frame);
      } catch (error) {
        // What comes before it is sent first.
        if (error instanceof EventUndecodable && position > after) break;
        throw error;
      }
      position = message.event.position;
      seen += 1;
      if (seen === LENGTH) break;
    }
    return { frames, position };
  }

  return (after) => {
    // After a restart many subscribers come back to the same position: they share one read.
    const shared = pending.get(after);
    if (shared !== undefined) return shared;
    const own = limit(() => readStretch(after)).finally(() => pending.delete(after));
    pending.set(after, own);
    return own;
  };
}
