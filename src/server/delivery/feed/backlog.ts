/**
 * Reads the backlog for subscribers that catch up, one stretch of the log at a time. Whatever they select, a stretch costs the
 * same: networks take turns, and half of the time is left to everything else.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore, Position, RecordedEvent } from '../../../kernel/ports/event-store.ts';
import { createFairQueue } from '../../fair-queue.ts';
import type { Frame, ReadFrames } from './frames.ts';

interface Stretch {
  /** In order. */
  readonly frames: readonly Frame[];
  /** Everything up to here has been read. */
  readonly position: Position;
}

/** A subscriber that catches up. */
interface Reader {
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
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly categories: readonly string[];
  readonly readFrames: ReadFrames;
  readonly signal: AbortSignal;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds. */
  readonly now?: () => number;
}): ReadBacklog {
  const { store, categories, readFrames, signal, pause = sleep, now = () => performance.now() } = options;
  const turns = createFairQueue();
  let lastTook = 0;

  async function readStretch(after: Position): Promise<Stretch> {
    const stored: RecordedEvent[] = [];
    let position = after;
    for await (const message of store.subscribe({ after, categories, signal })) {
      const reached = message.kind === 'event' ? message.event.position : message.position;
      if (reached > position) position = reached;
      if (message.kind === 'event') stored.push(message.event);
      if (message.kind === 'caught-up' || stored.length === LENGTH) break;
    }
    const { frames, passed, undecodable } = await readFrames(stored);
    if (undecodable === undefined) return { frames, position };
    // Earlier events are sent first.
    const last = passed.at(-1);
    if (last === undefined) throw undecodable;
    return { frames, position: last.position };
  }

  return (after, { source, isHere }) =>
    turns.run(
      source,
      async () => {
        if (!isHere()) return { frames: [], position: after };
        await pause(Math.min(lastTook, LONGEST_REST));
        const began = now();
        try {
          return await readStretch(after);
        } finally {
          lastTook = now() - began;
        }
      },
      signal,
    );
}
