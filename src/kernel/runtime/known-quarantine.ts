/** Knows which events operators have quarantined, as far as this process has learned. */
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import type { Recorded } from './event-codec.ts';
import { keyOfPlace, QUARANTINE_STREAM, type QuarantinedEvent } from './quarantine.ts';

export interface KnownQuarantine {
  has(stored: RecordedEvent): boolean;
  /** Learns what has been quarantined since the last call. Rejects when the store does not answer. */
  refresh(): Promise<void>;
  /** In the order of quarantining. */
  all(): readonly QuarantinedEvent[];
}

export interface KnownQuarantineOptions {
  readonly store: Pick<EventStore, 'read'>;
  /** Undefined for a record that says nothing to this release. */
  readonly decode: (stored: RecordedEvent) => Recorded | undefined;
  /** Called with what is new, after it counts. */
  readonly learned: (news: readonly QuarantinedEvent[]) => void;
}

export function createKnownQuarantine({ store, decode, learned }: KnownQuarantineOptions): KnownQuarantine {
  const quarantined = new Map<string, QuarantinedEvent>();
  let nextRevision = 0;
  let reading: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  async function readNews(): Promise<void> {
    const news: QuarantinedEvent[] = [];
    for await (const stored of store.read(QUARANTINE_STREAM, nextRevision)) {
      nextRevision = stored.revision + 1;
      const event = decode(stored);
      if (event?.type !== 'EventQuarantined') continue;
      // The codec has checked the data against this type's schema.
      const data = event.data as QuarantinedEvent;
      quarantined.set(keyOfPlace(data), data);
      news.push(data);
    }
    if (news.length > 0) learned(news);
  }

  return {
    has(stored) {
      if (quarantined.size === 0) return false;
      return quarantined.get(keyOfPlace(stored))?.eventId === stored.id;
    },

    /** One after another; those that wait share the next, which shows what was recorded before they asked. */
    refresh() {
      queued ??= reading
        .catch(() => undefined)
        .then(() => {
          queued = undefined;
          reading = readNews();
          return reading;
        });
      return queued;
    },

    all: () => [...quarantined.values()],
  };
}
