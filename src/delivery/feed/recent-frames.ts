/** The end of the log as frames, in memory: whoever has come so far goes on from here without the store. */
import type { Position } from '../../ports/event-store.ts';
import type { Frame } from './frames.ts';

export interface RecentFrames {
  /** Every frame after it, up to the head, is here. */
  readonly floor: Position;
  /** Everything up to here has been looked at. */
  readonly head: Position;
  /** The frames come in order, all after the head, which moves to `head`. */
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
      // Twice the capacity is let grow, so that what is kept is copied once in so many frames and not for each.
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
