/**
 * Decodes recorded events for all readers of the log: skips quarantined events, and lists undecodable ones for readiness and
 * operators.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../ports/errors.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import {
  detailsOf,
  type EventCodec,
  EventUndecodable,
  type Recorded,
  type UndecodableEvent,
} from './event-codec.ts';
import { keyOfPlace, QUARANTINE_STREAM, type QuarantinedEvent } from './quarantine.ts';
import { sleep } from './sleep.ts';

/** Undecodable event that is not quarantined. */
interface UndecodableSince extends UndecodableEvent {
  /** ISO 8601: first read by this process. */
  readonly since: string;
}

export type EventReader = ReturnType<typeof createEventReader>;

const MAX_LISTED = 100;

export function createEventReader({
  store,
  codec,
  logger,
}: {
  readonly store: Pick<EventStore, 'read'>;
  readonly codec: EventCodec;
  readonly logger: Logger;
}) {
  const skipped = new Set<string>();
  /** A store returns the same object of a recent event to all subscriptions of a process, so each is decoded once. */
  const decoded = new WeakMap<RecordedEvent, Recorded>();
  const quarantined = new Map<string, QuarantinedEvent>();
  const undecodable = new LRUCache<string, UndecodableSince>({ max: MAX_LISTED });
  let learned = new AbortController();
  let nextRevision = 0;
  let reading: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  const isQuarantined = (stored: RecordedEvent) =>
    quarantined.size > 0 && quarantined.get(keyOfPlace(stored))?.eventId === stored.id;

  function skip(stored: RecordedEvent, message: string): undefined {
    const { id: eventId, stream, revision } = stored;
    const key = keyOfPlace(stored);
    if (!skipped.has(key)) logger.warn({ eventId, stream, revision }, message);
    skipped.add(key);
    return undefined;
  }

  function readNow(stored: RecordedEvent): Recorded | undefined {
    if (isQuarantined(stored)) return skip(stored, 'quarantined event skipped');
    const cached = decoded.get(stored);
    if (cached !== undefined) return cached;
    try {
      const event = codec.decode(stored);
      decoded.set(stored, event);
      return event;
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      // A quarantine record cannot itself be quarantined. The event that it names remains undecodable, which stops readers there.
      if (stored.stream === QUARANTINE_STREAM) return skip(stored, 'undecodable quarantine record ignored');
      throw error;
    }
  }

  async function readQuarantine(): Promise<void> {
    const before = quarantined.size;
    for await (const stored of store.read(QUARANTINE_STREAM, nextRevision)) {
      nextRevision = stored.revision + 1;
      const event = readNow(stored);
      if (event?.type !== 'EventQuarantined') continue;
      // The codec has checked the data against this type's schema.
      const data = event.data as QuarantinedEvent;
      quarantined.set(keyOfPlace(data), data);
      undecodable.delete(keyOfPlace(data));
    }
    if (quarantined.size === before) return;
    learned.abort();
    learned = new AbortController();
  }

  /** Reads serially. Waiting callers share the next read, which includes everything recorded before their calls. */
  function refresh(): Promise<void> {
    queued ??= reading
      .catch(() => undefined)
      .then(() => {
        queued = undefined;
        reading = readQuarantine();
        return reading;
      });
    return queued;
  }

  async function readAgain(stored: RecordedEvent, error: EventUndecodable): Promise<undefined> {
    await refresh().catch((cause: unknown) => {
      throw new StoreUnavailable('the quarantine cannot be read', { cause });
    });
    if (isQuarantined(stored)) return skip(stored, 'quarantined event skipped');
    const { event } = error;
    if (undecodable.get(keyOfPlace(event)) === undefined) {
      undecodable.set(keyOfPlace(event), { ...event, since: new Date().toISOString() });
      logger.warn({ eventType: event.eventType, ...detailsOf(event) }, 'event cannot be decoded');
    }
    throw error;
  }

  return {
    /**
     * Undefined for a quarantined event. Reads the quarantine again before reporting an undecodable event. Rejects with
     * `EventUndecodable`, and if the store does not respond. Readers of the same stored event share the decoded event, which
     * must not be changed.
     */
    async read(stored: RecordedEvent): Promise<Recorded | undefined> {
      try {
        return readNow(stored);
      } catch (error) {
        if (error instanceof EventUndecodable) return readAgain(stored, error);
        throw error;
      }
    },
    /** Like `read`, without reading the quarantine again. Throws `EventUndecodable`. */
    readNow,
    /** Reads events quarantined since the last call. Rejects if the store does not respond. */
    refresh,
    /** Resolves when the time is over, this process reads a new quarantined event, or the signal is aborted. */
    pause: (milliseconds: number, signal: AbortSignal) =>
      sleep(milliseconds, AbortSignal.any([signal, learned.signal])),
    /** In the order of quarantining, as read by this process. */
    quarantined: (): readonly QuarantinedEvent[] => [...quarantined.values()],
    /** The latest 100. */
    undecodable: (): readonly UndecodableSince[] => [...undecodable.values()].reverse(),
  };
}

/** Reader without a quarantine, for logs that only this process writes. */
export function strictReader(codec: EventCodec): EventReader {
  return createEventReader({ codec, store: { read: async function* () {} }, logger: silentLogger });
}

/** Events decoded per event-loop turn. */
const DECODED_AT_A_TIME = 512;

/**
 * Decodes events of wanted types up to the first undecodable one; `passed` are the stored events before it. Rejects if the
 * store does not respond.
 */
export async function readInOrder(
  reader: Pick<EventReader, 'read'>,
  events: readonly RecordedEvent[],
  isWanted: (type: string) => boolean,
) {
  const recorded: Recorded[] = [];
  for (const [index, stored] of events.entries()) {
    if (index > 0 && index % DECODED_AT_A_TIME === 0) await nextTurn();
    if (!isWanted(stored.type)) continue;
    try {
      const event = await reader.read(stored);
      if (event !== undefined) recorded.push(event);
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      return { recorded, passed: events.slice(0, index), undecodable: error };
    }
  }
  return { recorded, passed: events, undecodable: undefined };
}

/**
 * Result of work on one entity; undefined if an event of the entity cannot be decoded, which must not stop work on other
 * entities.
 */
export async function unlessUndecodable<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EventUndecodable) return undefined;
    throw error;
  }
}
