/** Stands before an event store and holds chosen appends back, so that a test decides in which order things are recorded. */
import type { AppendResult, EventStore, EventToAppend } from '../../src/kernel/ports/event-store.ts';
import { withMethods } from '../../src/kernel/runtime/around-calls.ts';

export interface HeldAppends {
  readonly decorate: (store: EventStore) => EventStore;
  /** Holds the next append with such an event back. */
  hold(type: string, matches?: (event: EventToAppend) => boolean): Held;
}

interface Held {
  /** Resolves when the append has come and waits. */
  readonly arrived: Promise<void>;
  release(): void;
  /** Whoever appends is told that the store does not answer, however often it asks; the append itself is still on its way. */
  lose(): void;
  /** What was lost comes to the store after all. */
  deliver(): Promise<AppendResult>;
}

interface Wish {
  readonly type: string;
  readonly matches: (event: EventToAppend) => boolean;
  readonly arrive: (deliver: () => Promise<AppendResult>) => void;
  readonly released: Promise<'go on' | 'lost'>;
}

export function createHeldAppends(): HeldAppends {
  const wishes: Wish[] = [];
  const lost = new Set<string>();
  return {
    decorate: (store) =>
      withMethods(store, {
        async append(stream, expected, events) {
          const [{ id = '' } = {}] = events;
          if (lost.has(id)) throw new Error('the store does not answer');
          const place = wishes.findIndex(({ type, matches }) =>
            events.some((event) => event.type === type && matches(event)),
          );
          const [wish] = place === -1 ? [] : wishes.splice(place, 1);
          wish?.arrive(() => store.append(stream, expected, events));
          if ((await wish?.released) === 'lost') {
            lost.add(id);
            throw new Error('the store does not answer');
          }
          return store.append(stream, expected, events);
        },
      }),
    hold(type, matches = () => true) {
      let end: (how: 'go on' | 'lost') => void = () => {};
      const released = new Promise<'go on' | 'lost'>((resolve) => {
        end = resolve;
      });
      let deliver: (() => Promise<AppendResult>) | undefined;
      const arrived = new Promise<void>((resolve) => {
        const arrive: Wish['arrive'] = (delivery) => {
          deliver = delivery;
          resolve();
        };
        wishes.push({ type, matches, arrive, released });
      });
      return {
        arrived,
        release: () => end('go on'),
        lose: () => end('lost'),
        async deliver() {
          if (deliver === undefined) throw new Error(`no append of ${type} has come`);
          return deliver();
        },
      };
    },
  };
}
