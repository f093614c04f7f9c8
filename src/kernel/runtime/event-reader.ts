/**
 * Decodes recorded events for every reader of the log: skips what is quarantined, and remembers what cannot be decoded,
 * so that readiness and operators see it.
 */
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { detailsOf, type EventCodec, EventUndecodable, type Recorded } from './event-codec.ts';
import { createKnownQuarantine } from './known-quarantine.ts';
import { createMetEvents, type MetEvent } from './met-events.ts';
import { keyOfPlace, QUARANTINE_STREAM, type QuarantinedEvent } from './quarantine.ts';
import { sleep } from './sleep.ts';

export interface EventReader {
  /**
   * Undefined for a quarantined event. At once where that is possible; an event that cannot be decoded is first looked
   * up in the quarantine. Rejects with `EventUndecodable`, and when the store does not answer. Readers of the same stored
   * event get the same decoded one, which nobody may change.
   */
  read(stored: RecordedEvent): Recorded | undefined | Promise<Recorded | undefined>;
  /** The same without looking anything up. Throws `EventUndecodable`. */
  readNow(stored: RecordedEvent): Recorded | undefined;
  /** Whether the event may be of one of these types. Does not look at its data. */
  mayBecome: EventCodec['mayBecome'];
  /** Learns what has been quarantined since the last call. Rejects when the store does not answer. */
  refresh(): Promise<void>;
  /** Waits until the time is over, this process learns of a quarantined event, or the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** In the order of quarantining, as far as this process has learned. */
  quarantined(): readonly QuarantinedEvent[];
  /** What this process could not decode and nobody has quarantined, the latest 100. */
  undecodable(): readonly MetEvent[];
  /** Forgets what is no longer in the log, such as a stream that was deleted: looks again at those not met lately. */
  lookAgain(): Promise<void>;
}

export interface EventReaderOptions {
  readonly store: Pick<EventStore, 'read'>;
  readonly codec: EventCodec;
  readonly logger: Logger;
}

export function createEventReader({ store, codec, logger }: EventReaderOptions): EventReader {
  const skipped = new Set<string>();
  /** A store gives all subscriptions of a process the same event, where it keeps the newest: each is decoded once. */
  const decoded = new WeakMap<RecordedEvent, Recorded>();
  const met = createMetEvents();
  const pauses = createPauses();
  const quarantined = createKnownQuarantine({
    store,
    decode: readNow,
    learned(news) {
      for (const event of news) met.forget(event);
      pauses.endAll();
    },
  });

  function skip(stored: RecordedEvent, message: string): undefined {
    const key = keyOfPlace(stored);
    if (skipped.has(key)) return undefined;
    skipped.add(key);
    const { id: eventId, stream, revision } = stored;
    logger.warn({ eventId, stream, revision }, message);
    return undefined;
  }

  function readNow(stored: RecordedEvent): Recorded | undefined {
    if (quarantined.has(stored)) return skip(stored, 'quarantined event skipped');
    const known = decoded.get(stored);
    if (known !== undefined) return known;
    try {
      const event = codec.decode(stored);
      decoded.set(stored, event);
      return event;
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      // Nobody could quarantine it: what it would say of another event then remains unsaid, which stops readers there.
      if (stored.stream === QUARANTINE_STREAM) return skip(stored, 'undecodable quarantine record ignored');
      throw error;
    }
  }

  async function lookUp(stored: RecordedEvent, error: EventUndecodable): Promise<undefined> {
    await quarantined.refresh();
    if (quarantined.has(stored)) return skip(stored, 'quarantined event skipped');
    const { eventType } = error.event;
    if (met.remember(error.event))
      logger.warn({ eventType, ...detailsOf(error.event) }, 'event cannot be decoded');
    throw error;
  }

  return {
    read(stored) {
      try {
        return readNow(stored);
      } catch (error) {
        if (error instanceof EventUndecodable) return lookUp(stored, error);
        throw error;
      }
    },
    readNow,
    mayBecome: codec.mayBecome,
    refresh: quarantined.refresh,
    pause: pauses.until,
    quarantined: quarantined.all,
    undecodable: met.all,
    lookAgain: () => met.lookAgain(store),
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

/** Decodes only events that may be of a wanted type. Rejects when the store does not answer. */
export async function readInOrder(
  reader: Pick<EventReader, 'read' | 'mayBecome'>,
  events: readonly RecordedEvent[],
  isWanted: (type: string) => boolean,
): Promise<ReadInOrder> {
  const recorded: Recorded[] = [];
  for (const [index, stored] of events.entries()) {
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

/** Pauses that end early when what they wait for may have happened. */
interface Pauses {
  /** Resolves when the time is over, on `endAll`, and when the signal is aborted. */
  until(milliseconds: number, signal: AbortSignal): Promise<void>;
  endAll(): void;
}

function createPauses(): Pauses {
  const pausing = new Set<() => void>();
  return {
    async until(milliseconds, signal) {
      const over = new AbortController();
      const wake = () => over.abort();
      pausing.add(wake);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
      await sleep(milliseconds, over.signal);
      signal.removeEventListener('abort', wake);
      pausing.delete(wake);
    },
    endAll() {
      for (const wake of [...pausing]) wake();
    },
  };
}
