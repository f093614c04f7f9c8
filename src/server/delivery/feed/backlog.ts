/**
 * Reads the backlog for subscribers that catch up, one stretch of the log at a time. Whatever they select, a stretch costs the
 * same: networks take turns, and half of the time is left to everything else.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore, Position, RecordedEvent } from '../../../kernel/ports/event-store.ts';
import { EventUndecodable } from '../../../kernel/runtime/event-codec.ts';
import type { EventReader } from '../../../kernel/runtime/event-reader.ts';
import { createFairQueue } from '../../../kernel/runtime/fair-queue.ts';
import { mayHaveOutcome } from '../outcome-event.ts';
import type { Frame, MakeFrame } from './frames.ts';

export interface Stretch {
  /** In order. */
  readonly frames: readonly Frame[];
  /** Everything up to here has been read. */
  readonly position: Position;
}

/** A subscriber that catches up. */
export interface Reader {
  /** Its network. */
  readonly source: string;
  /** For one that has left nothing is read. */
  readonly isHere: () => boolean;
}

/** Rejects when the store does not answer, and with `EventUndecodable` when the very next event cannot be decoded. */
export type ReadBacklog = (position: Position, by: Reader) => Promise<Stretch>;

/** Events per stretch. */
const LENGTH = 256;
/** Milliseconds. A store that is slow to answer takes no processor time meanwhile. */
const LONGEST_REST = 20;

export function createBacklogReader(options: {
  readonly store: EventStore;
  readonly categories: readonly string[];
  readonly reader: Pick<EventReader, 'read' | 'mayBecome'>;
  readonly makeFrame: MakeFrame;
  readonly signal: AbortSignal;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds. */
  readonly now?: () => number;
}): ReadBacklog {
  const {
    store,
    categories,
    reader,
    makeFrame,
    signal,
    pause = sleep,
    now = () => performance.now(),
  } = options;
  const turns = createFairQueue();
  let lastTook = 0;
  const pending = new Map<Position, { readonly readers: Reader[]; readonly stretch: Promise<Stretch> }>();

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

  async function readAfterRest(after: Position, readers: readonly Reader[]): Promise<Stretch> {
    if (!readers.some(({ isHere }) => isHere())) return { frames: [], position: after };
    await pause(Math.min(lastTook, LONGEST_REST));
    const began = now();
    try {
      return await readStretch(after);
    } finally {
      lastTook = now() - began;
    }
  }

  return (after, by) => {
    // After a restart many subscribers come back to the same position: they share one read.
    const shared = pending.get(after);
    if (shared !== undefined) {
      shared.readers.push(by);
      return shared.stretch;
    }
    const readers = [by];
    const stretch = turns
      .run(by.source, () => readAfterRest(after, readers), signal)
      .finally(() => pending.delete(after));
    pending.set(after, { readers, stretch });
    return stretch;
  };
}
