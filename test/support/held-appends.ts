/** Stands before an event store and holds chosen appends back, so that a test decides in which order things are recorded. */
import type { EventStore, EventToAppend } from '../../src/ports/event-store.ts';

export interface HeldAppends {
  readonly decorate: (store: EventStore) => EventStore;
  /** Holds the next append with such an event back. */
  hold(type: string, matches?: (event: EventToAppend) => boolean): Held;
}

export interface Held {
  /** Resolves when the append has come and waits. */
  readonly arrived: Promise<void>;
  release(): void;
}

interface Wish {
  readonly type: string;
  readonly matches: (event: EventToAppend) => boolean;
  readonly arrive: () => void;
  readonly released: Promise<void>;
}

export function createHeldAppends(): HeldAppends {
  const wishes: Wish[] = [];
  return {
    decorate: (store) => ({
      ...store,
      async append(stream, expected, events) {
        const place = wishes.findIndex(({ type, matches }) =>
          events.some((event) => event.type === type && matches(event)),
        );
        const [wish] = place === -1 ? [] : wishes.splice(place, 1);
        wish?.arrive();
        await wish?.released;
        return store.append(stream, expected, events);
      },
    }),
    hold(type, matches = () => true) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const arrived = new Promise<void>((resolve) => {
        wishes.push({ type, matches, arrive: resolve, released });
      });
      return { arrived, release: () => release() };
    },
  };
}
