/** Reads the last event of a lease's stream, and appends to it, repeating an append until its outcome is known. */
import type { AppendResult, EventStore, ExpectedRevision, RecordedEvent } from '../ports/event-store.ts';
import type { EventCodec } from '../runtime/event-codec.ts';
import type { EventReader } from '../runtime/event-reader.ts';
import { causeOf } from '../runtime/execute.ts';
import { randomId } from '../runtime/ids.ts';
import { type LeaseEvent, type LeaseState, lease } from './lease.ts';
import type { LeaseClock } from './lease-clock.ts';

/** The last event is enough; the others are for people who inspect the stream. */
const EVENTS_KEPT = 20;
/** Pauses before a failed append is repeated. Milliseconds. */
const SHORTEST_BACKOFF = 50;
const LONGEST_BACKOFF = 1_000;

export interface LeaseTail {
  /** Undefined if all events that are left are quarantined. */
  readonly state: LeaseState;
  readonly revision: number;
  readonly eventId: string;
}

/** What this process hears of leases by following the log. */
export interface LeaseNews {
  /** Whether whatever is recorded is heard soon. */
  isFollowed(): boolean;
  /** Calls `heard` for each event of any lease, in order and none missing, until the returned function is called. */
  listen(heard: (event: RecordedEvent) => void): () => void;
}

/** The last event; `unknown` where it was not read yet, or where something may not have been heard. */
export type Heard = LeaseTail | undefined | 'unknown';

export interface LeaseLog {
  /** The last event; undefined without one. Rejects when the store fails or takes too long. */
  tail(): Promise<LeaseTail | undefined>;
  /** The same without a read, from what was read and heard since. It may be late. */
  heard(): Heard;
  /**
   * Repeats the identical append until its outcome is known. Undefined if `remaining` reaches 0 or `ended` is aborted
   * before that: the event may be recorded, now or later.
   */
  append(
    expected: ExpectedRevision,
    event: LeaseEvent,
    remaining: () => number,
    ended: AbortSignal,
  ): Promise<AppendResult | undefined>;
  /** Lets the store drop all but the last few events. Rejects when the store fails or takes too long. */
  shorten(): Promise<void>;
  /** Hears no more. */
  close(): void;
}

export interface LeaseLogOptions {
  readonly name: string;
  readonly store: Pick<EventStore, 'append' | 'read' | 'keepLast'>;
  readonly codec: Pick<EventCodec, 'encode'>;
  readonly reader: Pick<EventReader, 'read'>;
  /** Without it, nothing is heard. */
  readonly news?: LeaseNews;
  readonly clock: LeaseClock;
  /** How long to wait for one call to the store. Milliseconds. */
  readonly patience: number;
  /** Called when a call fails and will be repeated. */
  readonly failed: (error: unknown) => void;
  /** Called when a call succeeds. */
  readonly succeeded: () => void;
}

export function createLeaseLog(options: LeaseLogOptions): LeaseLog {
  const { name, store, codec, reader, clock, patience, failed, succeeded } = options;
  const stream = `${lease.category}-${name}`;
  /** The revision of the last event with a state. */
  let lastSeen = 0;

  async function follow(tail: LeaseTail | undefined, stored: RecordedEvent): Promise<LeaseTail> {
    // The codec has checked the event against this very stream's schemas.
    const event = (await reader.read(stored)) as unknown as LeaseEvent | undefined;
    const state: LeaseState = event === undefined ? tail?.state : lease.evolve(lease.initial, event);
    if (event !== undefined) lastSeen = stored.revision;
    return { state, revision: stored.revision, eventId: stored.id };
  }

  const hearing = createHearing(options.news, stream, follow);

  async function readFrom(revision: number): Promise<LeaseTail | undefined> {
    let tail: LeaseTail | undefined;
    for await (const stored of store.read(stream, revision)) tail = await follow(tail, stored);
    return tail;
  }

  return {
    async tail() {
      const settle = hearing.beginReading();
      const read = async () => (await readFrom(lastSeen)) ?? (lastSeen > 0 ? readFrom(0) : undefined);
      const tail = await answerWithin(patience, clock, read());
      if (tail === undefined) lastSeen = 0;
      succeeded();
      settle(tail);
      return tail;
    },
    heard: hearing.latest,
    async append(expected, event, remaining, ended) {
      const occurredAt = new Date(clock.wall()).toISOString();
      const encoded = codec.encode(lease.category, randomId(), event, { ...causeOf('lease'), occurredAt });
      for (let backoff = SHORTEST_BACKOFF; ; backoff = Math.min(2 * backoff, LONGEST_BACKOFF)) {
        const left = remaining();
        if (left <= 0) return undefined;
        try {
          const call = store.append(stream, expected, [encoded]);
          const result = await answerWithin(Math.min(left, patience), clock, call);
          succeeded();
          return result;
        } catch (error) {
          if (error instanceof TypeError) throw error;
          failed(error);
        }
        if (ended.aborted) return undefined;
        await clock.pause(Math.min(backoff, remaining()), ended);
      }
    },
    async shorten() {
      await answerWithin(patience, clock, store.keepLast(stream, EVENTS_KEPT));
    },
    close: hearing.end,
  };
}

/** What was read last of the stream, and heard since. */
function createHearing(
  news: LeaseNews | undefined,
  stream: string,
  follow: (tail: LeaseTail | undefined, stored: RecordedEvent) => Promise<LeaseTail>,
) {
  let latest: Heard = 'unknown';
  let heard = 0;
  const end = news?.listen((stored) => void hear(stored).catch(forget));

  function forget(): void {
    latest = 'unknown';
  }

  async function hear(stored: RecordedEvent): Promise<void> {
    if (stored.stream !== stream) return;
    heard += 1;
    // It is read, or was.
    if (latest === 'unknown' || (latest !== undefined && stored.revision <= latest.revision)) return;
    const before = heard;
    const next = await follow(latest, stored);
    latest = heard === before ? next : 'unknown';
  }

  return {
    latest: (): Heard => (news?.isFollowed() ? latest : 'unknown'),
    /** Give what was read to the function that it returns. */
    beginReading() {
      forget();
      const before = heard;
      return (tail: LeaseTail | undefined): void => {
        // Something that was heard meanwhile may be missing in it.
        if (heard === before) latest = tail;
      };
    },
    end: () => end?.(),
  };
}

/** Rejects when the answer takes longer; a later answer is dropped. Waits by the lease's clock, which p-timeout cannot do. */
async function answerWithin<Answer>(
  milliseconds: number,
  clock: LeaseClock,
  answer: Promise<Answer>,
): Promise<Answer> {
  const answered = new AbortController();
  const overdue = clock.pause(milliseconds, answered.signal).then((): never => {
    throw new Error('the event store does not answer');
  });
  try {
    return await Promise.race([answer, overdue]);
  } finally {
    answered.abort();
  }
}
