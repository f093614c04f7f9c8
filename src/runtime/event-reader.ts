/**
 * Decodes recorded events for every reader of the log: skips what is quarantined, and remembers what cannot be decoded,
 * so that readiness and operators see it.
 */
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import { type EventCodec, EventUndecodable, type Recorded, type UndecodableEvent } from './event-codec.ts';
import { pauseFor } from './pause-for.ts';
import { type EventPlace, QUARANTINE_STREAM, type QuarantinedEvent } from './quarantine.ts';

export interface MetEvent extends UndecodableEvent {
  /** ISO 8601: when this process first met it. */
  readonly since: string;
}

export interface EventReader {
  /**
   * Undefined for a quarantined event. At once where that is possible; an event that cannot be decoded is first looked
   * up in the quarantine. Rejects with `EventUndecodable`, and when the store does not answer.
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
  readonly report: (message: string, details: object) => void;
}

const MOST_REMEMBERED = 100;
/** Milliseconds. */
const LOOK_AGAIN_AFTER = 60_000;

export function createEventReader({ store, codec, report }: EventReaderOptions): EventReader {
  const quarantined = new Map<string, QuarantinedEvent>();
  const skipped = new Set<string>();
  const met = new Map<string, { readonly event: MetEvent; at: number }>();
  const pausing = new Set<() => void>();
  let nextRevision = 0;
  let reading: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  function isQuarantined(stored: RecordedEvent): boolean {
    if (quarantined.size === 0) return false;
    const found = quarantined.get(keyOf(stored));
    return found?.eventId === stored.id;
  }

  function skip(stored: RecordedEvent, message: string): undefined {
    const key = keyOf(stored);
    if (skipped.has(key)) return undefined;
    skipped.add(key);
    const { id: eventId, stream, revision } = stored;
    report(message, { eventId, stream, revision });
    return undefined;
  }

  function remember(event: UndecodableEvent): void {
    const key = keyOf(event);
    const known = met.get(key);
    if (known !== undefined) {
      known.at = performance.now();
      return;
    }
    met.set(key, { event: { ...event, since: new Date().toISOString() }, at: performance.now() });
    const [oldest] = met.keys();
    if (met.size > MOST_REMEMBERED && oldest !== undefined) met.delete(oldest);
    const { eventId, stream, revision, eventType, problem } = event;
    report('event cannot be decoded', { eventId, stream, revision, eventType, error: problem });
  }

  function readNow(stored: RecordedEvent): Recorded | undefined {
    if (isQuarantined(stored)) return skip(stored, 'quarantined event skipped');
    try {
      return codec.decode(stored);
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      // Nobody could quarantine it: what it would say of another event then remains unsaid, which stops readers there.
      if (stored.stream === QUARANTINE_STREAM) return skip(stored, 'undecodable quarantine record ignored');
      throw error;
    }
  }

  async function readNews(): Promise<void> {
    let isNew = false;
    for await (const stored of store.read(QUARANTINE_STREAM, nextRevision)) {
      nextRevision = stored.revision + 1;
      const event = readNow(stored);
      if (event?.type !== 'EventQuarantined') continue;
      // The codec has checked the data against this type's schema.
      const data = event.data as QuarantinedEvent;
      quarantined.set(keyOf(data), data);
      met.delete(keyOf(data));
      isNew = true;
    }
    if (isNew) for (const wake of [...pausing]) wake();
  }

  /** One after another; those that wait share the next, which shows what was recorded before they asked. */
  function refresh(): Promise<void> {
    queued ??= reading
      .catch(() => undefined)
      .then(() => {
        queued = undefined;
        reading = readNews();
        return reading;
      });
    return queued;
  }

  async function lookUp(stored: RecordedEvent, error: EventUndecodable): Promise<undefined> {
    await refresh();
    if (isQuarantined(stored)) return skip(stored, 'quarantined event skipped');
    remember(error.event);
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
    refresh,
    async pause(milliseconds, signal) {
      const over = new AbortController();
      const wake = () => over.abort();
      pausing.add(wake);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
      await pauseFor(milliseconds, over.signal);
      signal.removeEventListener('abort', wake);
      pausing.delete(wake);
    },
    quarantined: () => [...quarantined.values()],
    undecodable: () => [...met.values()].map(({ event }) => event),
    async lookAgain() {
      for (const [key, known] of met) {
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

/** Without a quarantine: for logs that nobody else writes. */
export function strictReader(codec: EventCodec): EventReader {
  return createEventReader({
    codec,
    store: { read: async function* () {} },
    report: () => undefined,
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

function keyOf({ stream, revision }: Pick<EventPlace, 'stream' | 'revision'>): string {
  return `${revision} ${stream}`;
}
