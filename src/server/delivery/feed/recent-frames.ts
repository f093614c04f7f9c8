/** Keeps the newest frames in memory, so that subscribers near the end of the log do not need the store. */
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { Frame } from './frames.ts';

export interface RecentFrames {
  /** All frames after this position, up to the head, are in memory. */
  readonly floor: Position;
  /** Everything up to here has been read. */
  readonly head: Position;
  /** Adds frames in order, all after the current head, and moves the head. */
  add(frames: readonly Frame[], head: Position): void;
  /** In order. */
  after(position: Position): readonly Frame[];
}

export function createRecentFrames(start: Position, capacity: number): RecentFrames {
  let floor = start;
  let head = start;
  let held: Frame[] = [];
  return {
    get floor() {
      return floor;
    },
    get head() {
      return head;
    },
    add(frames, reached) {
      held.push(...frames);
      if (reached > head) head = reached;
      // Grows to twice the capacity, so that the array is copied once per `capacity` frames and not for each frame.
      if (held.length <= 2 * capacity) return;
      const dropped = held.length - capacity;
      floor = held[dropped - 1]?.position ?? floor;
      held = held.slice(dropped);
    },
    after(position) {
      let low = 0;
      let high = held.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const frame = held[middle];
        if (frame !== undefined && frame.position <= position) low = middle + 1;
        else high = middle;
      }
      return held.slice(low);
    },
  };
}
