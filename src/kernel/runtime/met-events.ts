/** Remembers the events that this process could not decode and nobody has quarantined, for readiness and operators. */
import { LRUCache } from 'lru-cache';
import type { EventStore } from '../ports/event-store.ts';
import type { UndecodableEvent } from './event-codec.ts';
import { type EventPlace, keyOfPlace } from './quarantine.ts';

export interface MetEvent extends UndecodableEvent {
  /** ISO 8601: when this process first met it. */
  readonly since: string;
}

export interface MetEvents {
  /** Whether it is new. */
  remember(event: UndecodableEvent): boolean;
  forget(place: Pick<EventPlace, 'stream' | 'revision'>): void;
  /** The latest 100. */
  all(): readonly MetEvent[];
  /** Forgets those that are not in the log any more: looks again at those not met lately. */
  lookAgain(store: Pick<EventStore, 'read'>): Promise<void>;
}

const MOST_REMEMBERED = 100;
/** Milliseconds. */
const LOOK_AGAIN_AFTER = 60_000;

export function createMetEvents(): MetEvents {
  const met = new LRUCache<string, { readonly event: MetEvent; at: number }>({ max: MOST_REMEMBERED });
  return {
    remember(event) {
      const key = keyOfPlace(event);
      const known = met.get(key);
      if (known !== undefined) {
        known.at = performance.now();
        return false;
      }
      met.set(key, { event: { ...event, since: new Date().toISOString() }, at: performance.now() });
      return true;
    },
    forget: (place) => void met.delete(keyOfPlace(place)),
    all: () => [...met.values()].reverse().map(({ event }) => event),
    async lookAgain(store) {
      for (const [key, known] of [...met.entries()]) {
        if (performance.now() - known.at < LOOK_AGAIN_AFTER) continue;
        known.at = performance.now();
        if (!(await isStillThere(store, known.event))) met.delete(key);
      }
    },
  };
}

async function isStillThere(
  store: Pick<EventStore, 'read'>,
  { eventId, stream, revision }: UndecodableEvent,
): Promise<boolean> {
  for await (const stored of store.read(stream, revision)) {
    return stored.revision === revision && stored.id === eventId;
  }
  return false;
}
