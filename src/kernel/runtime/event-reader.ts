/**
 * Decodes recorded events for every reader of the log: skips what is quarantined, and lists what cannot be decoded, for
 * readiness and operators.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from '../ports/errors.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { detailsOf, type EventCodec, EventUndecodable, type Recorded } from './event-codec.ts';
import { createQuarantine, QUARANTINE_STREAM, type Quarantine } from './quarantine.ts';
import { sleep } from './sleep.ts';

export interface EventReader extends Pick<Quarantine, 'refresh' | 'undecodable'> {
  /**
   * Undefined for a quarantined event. Synchronous where that is possible; for an event that cannot be decoded, the quarantine
   * is read first. Rejects with `EventUndecodable`, and when the store does not answer. Readers of the same stored event get
   * the same decoded one, which nobody may change.
   */
  read(stored: RecordedEvent): Recorded | undefined | Promise<Recorded | undefined>;
  /** The same without reading the quarantine. Throws `EventUndecodable`. */
  readNow(stored: RecordedEvent): Recorded | undefined;
  /** Whether the event may be of one of these types. Does not look at its data. */
  mayBecome: EventCodec['mayBecome'];
  /** Waits until the time is over, this process learns of a quarantined event, or the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** In the order of quarantining, as far as this process has read. */
  readonly quarantined: Quarantine['all'];
}

export interface EventReaderOptions {
  readonly store: Pick<EventStore, 'read'>;
  readonly codec: EventCodec;
  readonly logger: Logger;
}

export function createEventReader({ store, codec, logger }: EventReaderOptions): EventReader {
  const skipped = new Set<string>();
  /** A store returns the same object of a recent event to all subscriptions of a process: each is decoded once. */
  const decoded = new WeakMap<RecordedEvent, Recorded>();
  let learned = new AbortController();
  const quarantine = createQuarantine({
    store,
    decode: readNow,
    learned() {
      learned.abort();
      learned = new AbortController();
    },
  });

  function skip({ id: eventId, stream, revision }: RecordedEvent, message: string): undefined {
    const key = `${revision} ${stream}`;
    if (!skipped.has(key)) logger.warn({ eventId, stream, revision }, message);
    skipped.add(key);
    return undefined;
  }

  function readNow(stored: RecordedEvent): Recorded | undefined {
    if (quarantine.has(stored)) return skip(stored, 'quarantined event skipped');
    const cached = decoded.get(stored);
    if (cached !== undefined) return cached;
    try {
      const event = codec.decode(stored);
      decoded.set(stored, event);
      return event;
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      // It cannot be quarantined itself: the event that it names stays undecodable, which stops readers there.
      if (stored.stream === QUARANTINE_STREAM) return skip(stored, 'undecodable quarantine record ignored');
      throw error;
    }
  }

  async function readAgain(stored: RecordedEvent, error: EventUndecodable): Promise<undefined> {
    await quarantine.refresh().catch((cause: unknown) => {
      throw new StoreUnavailable('the quarantine cannot be read', { cause });
    });
    if (quarantine.has(stored)) return skip(stored, 'quarantined event skipped');
    const { eventType } = error.event;
    if (quarantine.report(error.event))
      logger.warn({ eventType, ...detailsOf(error.event) }, 'event cannot be decoded');
    throw error;
  }

  return {
    read(stored) {
      try {
        return readNow(stored);
      } catch (error) {
        if (error instanceof EventUndecodable) return readAgain(stored, error);
        throw error;
      }
    },
    readNow,
    mayBecome: codec.mayBecome,
    refresh: quarantine.refresh,
    pause: (milliseconds, signal) => sleep(milliseconds, AbortSignal.any([signal, learned.signal])),
    quarantined: quarantine.all,
    undecodable: quarantine.undecodable,
  };
}

/** Without a quarantine: for logs that nobody else writes. */
export function strictReader(codec: EventCodec): EventReader {
  return createEventReader({
    codec,
    store: { read: async function* () {} },
    logger: silentLogger,
  });
}

/** The events before the first that cannot be decoded, which stops an ordered reader. */
export interface ReadInOrder {
  /** Decoded, without those that are quarantined or not wanted. */
  readonly recorded: readonly Recorded[];
  /** The stored events that these came from. */
  readonly passed: readonly RecordedEvent[];
  readonly undecodable: EventUndecodable | undefined;
}

/** Bounds how long one step of a large batch keeps the event loop busy. */
const DECODED_AT_A_TIME = 512;

/** Decodes only events that may be of a wanted type. Rejects when the store does not answer. */
export async function readInOrder(
  reader: Pick<EventReader, 'read' | 'mayBecome'>,
  events: readonly RecordedEvent[],
  isWanted: (type: string) => boolean,
): Promise<ReadInOrder> {
  const recorded: Recorded[] = [];
  for (const [index, stored] of events.entries()) {
    if (index > 0 && index % DECODED_AT_A_TIME === 0) await nextTurn();
    if (!reader.mayBecome(stored, isWanted)) continue;
    try {
      const found = reader.read(stored);
      const event = found instanceof Promise ? await found : found;
      if (event !== undefined) recorded.push(event);
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      return { recorded, passed: events.slice(0, index), undecodable: error };
    }
  }
  return { recorded, passed: events, undecodable: undefined };
}

/** The result of work on one entity; undefined if an event of it cannot be decoded, which must not stop the others. */
export async function unlessUndecodable<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EventUndecodable) return undefined;
    throw error;
  }
}
