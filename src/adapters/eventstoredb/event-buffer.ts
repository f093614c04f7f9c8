/** The newest events of a log in memory, within bounds. Pure, but for what it keeps. */
import type { Position } from '../../kernel/ports/event-store.ts';

export interface EventBuffer<Event extends { readonly position: Position }> {
  /** All events after `floor` up to `position` are kept. Both are undefined until `startAt`. */
  readonly floor: Position | undefined;
  readonly position: Position | undefined;
  startAt(position: Position): void;
  /** `bytes`: how much of it is stored. The oldest events make room; the newest stays, however large. */
  add(event: Event, bytes: number): void;
  /** Events after a position, which must not be before `floor`; at most `count`. */
  after(position: Position, count: number): readonly Event[];
}

export function createEventBuffer<Event extends { readonly position: Position }>(most: {
  readonly events: number;
  readonly bytes: number;
}): EventBuffer<Event> {
  const events: Event[] = [];
  const sizes: number[] = [];
  let total = 0;
  let floor: Position | undefined;
  let position: Position | undefined;
  return {
    get floor() {
      return floor;
    },
    get position() {
      return position;
    },
    startAt(first) {
      floor = first;
      position = first;
    },
    add(event, bytes) {
      position = event.position;
      events.push(event);
      sizes.push(bytes);
      total += bytes;
      while (events.length > most.events || (total > most.bytes && events.length > 1)) {
        floor = events.shift()?.position ?? floor;
        total -= sizes.shift() ?? 0;
      }
    },
    after(wanted, count) {
      let [low, high] = [0, events.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((events[middle]?.position ?? '') > wanted) high = middle;
        else low = middle + 1;
      }
      return events.slice(low, low + count);
    },
  };
}
