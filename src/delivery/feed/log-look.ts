/** Brings subscribers that catch up what they have missed, a stretch of the log at a time, without many at once asking the store. */
import pLimit from 'p-limit';
import type { EventStore, Position } from '../../ports/event-store.ts';
import type { Frame, ReadFrame } from './frames.ts';

export interface Stretch {
  /** In order. */
  readonly frames: readonly Frame[];
  /** Everything up to here is among them. */
  readonly position: Position;
}

/** Rejects when the store does not answer. */
export type LookAfter = (position: Position) => Promise<Stretch>;

/** Events of one look. */
const LENGTH = 256;
/** A store may have few connections, and there may be many who catch up. */
const AT_A_TIME = 8;

export function createLogLook(options: {
  readonly store: EventStore;
  readonly categories: readonly string[];
  readonly readFrame: ReadFrame;
  readonly signal: AbortSignal;
}): LookAfter {
  const { store, categories, readFrame, signal } = options;
  const limit = pLimit(AT_A_TIME);
  const pending = new Map<Position, Promise<Stretch>>();

  async function look(after: Position): Promise<Stretch> {
    const frames: Frame[] = [];
    let position = after;
    let seen = 0;
    for await (const message of store.subscribe({ after, categories, signal })) {
      if (message.kind !== 'event') {
        if (message.position > position) position = message.position;
        if (message.kind === 'caught-up') break;
        continue;
      }
      position = message.event.position;
      const frame = readFrame(message.event);
      if (frame !== undefined) frames.push(frame);
      seen += 1;
      if (seen === LENGTH) break;
    }
    return { frames, position };
  }

  return (after) => {
    // After a restart many come back to the same place: they look together.
    const shared = pending.get(after);
    if (shared !== undefined) return shared;
    const own = limit(() => look(after)).finally(() => pending.delete(after));
    pending.set(after, own);
    return own;
  };
}
