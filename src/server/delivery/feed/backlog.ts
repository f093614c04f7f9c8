/**
 * Reads the backlog of subscribers that catch up, in chunks of the log. A chunk costs the same for every filter.
 * Networks alternate, and half of the time is left to other work.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore, Position, RecordedEvent } from '../../../kernel/ports/event-store.ts';
import { createFairQueue } from '../../fair-queue.ts';
import type { Frame, ReadFrames } from './frames.ts';

interface Range {
  /** In order. */
  readonly frames: readonly Frame[];
  /** Every event up to this position has been read. */
  readonly position: Position;
}

/** A subscriber that catches up. */
interface Reader {
  /** Network of the subscriber. */
  readonly source: string;
  /** False once the subscriber has left; its chunks are not read. */
  readonly isHere: () => boolean;
}

/** Rejects if the store fails, and with `EventUndecodable` if the next event cannot be decoded. */
export type ReadBacklog = (position: Position, by: Reader) => Promise<Range>;

/** Events per range. */
const LENGTH = 256;
/**
 * Longest pause before a read, in milliseconds. Waiting for a slow store takes no processor time, so longer pauses are
 * not needed.
 */
const MAX_YIELD = 20;

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

  async function readRange(after: Position): Promise<Range> {
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
    // Events before the undecodable one are sent first.
    const last = passed.at(-1);
    if (last === undefined) throw undecodable;
    return { frames, position: last.position };
  }

  return (after, { source, isHere }) =>
    turns.run(
      source,
      async () => {
        if (!isHere()) return { frames: [], position: after };
        await pause(Math.min(lastTook, MAX_YIELD));
        const began = now();
        try {
          return await readRange(after);
        } finally {
          lastTook = now() - began;
        }
      },
      signal,
    );
}
