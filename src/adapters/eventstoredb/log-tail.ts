/**
 * End of the log, cached in this process: one server subscription, independent of slow subscribers, holds the newest events
 * in memory, where each subscriber reads them at its own pace. Also bounds the search for the log's last event in a shared
 * database, and detects that the server's log was replaced.
 */
import { setMaxListeners } from 'node:events';
import { type Position, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { type Connection, codeOf } from './connection.ts';
import {
  belongsToLog,
  eventOf,
  idOf,
  positionOf,
  type StoredRecord,
  subscriptionRequest,
} from './messages.ts';
import {
  firstMatch,
  idAtRevision,
  lastPosition,
  lastRecord,
  PositionUnknown,
  recordAt,
  startAfter,
  take,
} from './read-stream.ts';

export type LogTail = ReturnType<typeof createLogTail>;

/** Maximum size of the buffer. Subscribers that fall behind further read from the server again. */
const MAX = { events: 2_000, bytes: 16 * 1024 * 1024 };
/** Milliseconds before an ended subscription is started again. */
export const RESUBSCRIBE_PAUSE = 250;
/** gRPC code. */
const ABORTED = 10;
/** Reason reported once the server's log differs from the log read so far. */
const REPLACED = 'the event log was replaced: restart this process';

export function createLogTail({
  subscriptions,
  calls,
  prefix,
  logger,
}: {
  /** Connection for the subscription and the reads that start it. */
  readonly subscriptions: Connection;
  /** Connection for searches of the log's end. */
  readonly calls: Connection;
  readonly prefix: string;
  readonly logger: Logger;
}) {
  const buffer = createEventBuffer<RecordedEvent>(MAX);
  const waiting = new Set<() => void>();
  const ending = new AbortController();
  const { signal } = ending;
  // Each subscriber adds a listener.
  setMaxListeners(0, signal);
  let following: Promise<void> | undefined;
  let trouble: string | undefined;
  let isReplaced = false;
  /** Position at which the server last dropped the subscription for being slow. */
  let droppedAt: Position | undefined;
  /** Last event received by the subscription. */
  let followed: RecordedEvent | undefined;
  /** Newest known event, and the position up to which no later one was found. */
  let known: { readonly last: Position; readonly searchedTo: Position } | undefined;

  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }

  function learn(last: Position, searchedTo: Position): void {
    if (known === undefined || last > known.last || (last === known.last && searchedTo > known.searchedTo))
      known = { last, searchedTo };
  }

  /** Reads the position of the log's last event from the server. If the signal is aborted, the result is meaningless. */
  async function head(until?: AbortSignal): Promise<Position> {
    const record = await lastRecord(calls, until);
    const end = record === undefined ? START : positionOf(record);
    const last = record !== undefined && belongsToLog(record, prefix) ? end : await lastUpTo(end, until);
    // An aborted read has no result.
    if (until?.aborted !== true) learn(last, last > end ? last : end);
    return last;
  }

  /** Reads few records, however many are new: searches an idle log forwards, any other backwards from the end. */
  async function lastUpTo(end: Position, until: AbortSignal | undefined): Promise<Position> {
    const before = known;
    if (before !== undefined) {
      if (end <= before.searchedTo) return before.last;
      if ((await firstMatch(calls, prefix, before.searchedTo, until)) === undefined) return before.last;
    }
    const last = (await lastPosition(calls, prefix, until)) ?? START;
    return before !== undefined && before.last > last ? before.last : last;
  }

  async function startAtEnd(): Promise<void> {
    const found = await head(signal);
    if (signal.aborted) return;
    const record = found === START ? undefined : await recordAt(subscriptions, found, signal);
    followed = record && eventOf(record, prefix);
    if (signal.aborted) return;
    buffer.startAt(found);
    wakeAll();
  }

  /** If an older copy of the log was restored, another event or none may have this revision. */
  async function idOfFollowed(): Promise<string | undefined> {
    return followed && idAtRevision(subscriptions, prefix + followed.stream, followed.revision, signal);
  }

  /** A missing event may have been scavenged, so it does not prove that the log was replaced. */
  function requireSame(found: string | undefined): void {
    if (found === undefined || followed === undefined || found === followed.id) return;
    if (!isReplaced) logger.warn({}, 'event log replaced, restart this process');
    isReplaced = true;
    throw new Error(REPLACED);
  }

  /**
   * Start of a subscription that delivers all events after `place`. Rejects if the log was replaced, because a restored older
   * copy may have grown since, and its new events before `place` would be skipped silently.
   */
  async function resumeAfter(place: Position): Promise<Position> {
    const start = await startAfter(subscriptions, place, signal).catch(async (error: unknown) => {
      // Only a different event proves that the log was replaced; `unknown` can be temporary.
      if (error instanceof PositionUnknown) requireSame(await idOfFollowed());
      throw error;
    });
    const record = await recordAt(subscriptions, place, signal);
    requireSame(record === undefined ? await idOfFollowed() : idOf(record));
    // A log that ends before `place` lacks delivered events, and its new events up to `place` would be skipped.
    if (record === undefined) {
      const last = await lastRecord(subscriptions, signal);
      if (place > (last === undefined ? START : positionOf(last)))
        throw new Error(`the event log ends before position ${place}, which this process has already read`);
    }
    return start;
  }

  function keep(record: StoredRecord, event: RecordedEvent): void {
    buffer.add(event, record.getData_asU8().length + record.getCustomMetadata_asU8().length);
    followed = event;
    learn(event.position, event.position);
    wakeAll();
  }

  async function connect(): Promise<void> {
    if (buffer.position === undefined) await startAtEnd();
    if (buffer.position === undefined) return;
    const start = await resumeAfter(buffer.position);
    for await (const message of take(subscriptions, subscriptionRequest(start, [prefix]), {
      signal,
      isLive: true,
    })) {
      if (trouble !== undefined) logger.warn({}, 'event log subscription restored');
      trouble = undefined;
      const record = message.getEvent()?.getEvent();
      const event = record && eventOf(record, prefix);
      if (record !== undefined && event !== undefined && event.position > buffer.position)
        keep(record, event);
    }
    if (!signal.aborted) throw new Error('the event store ended the subscription');
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        await connect();
      } catch (error) {
        // The server drops subscribers that fall behind briefly. That is normal, but not twice at one position.
        if (codeOf(error) === ABORTED && buffer.position !== droppedAt) {
          droppedAt = buffer.position;
          continue;
        }
        if (trouble === undefined) logger.warn({ error: errorMessage(error) }, 'event log subscription lost');
        trouble = errorMessage(error);
        await sleep(RESUBSCRIBE_PAUSE, signal);
      }
    }
  }

  return {
    /** All events after `floor` up to `position` are in memory. Both are undefined until the subscription has started. */
    get floor() {
      return buffer.floor;
    },
    get position() {
      return buffer.position;
    },
    /** Reason why the log cannot be read; otherwise undefined. */
    get trouble() {
      return isReplaced ? REPLACED : trouble;
    },
    /** Aborted by `end`. */
    ending: signal,
    /** True if the server has another log than before, or an older copy of it. */
    get isReplaced() {
      return isReplaced;
    },
    /** Resolves at the next change, or when the signal is aborted. */
    changed: (until: AbortSignal) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          until.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        until.addEventListener('abort', wake);
        if (until.aborted) wake();
      }),
    after: buffer.after,
    head,
    begin() {
      following ??= follow();
    },
    async end() {
      ending.abort();
      await following;
    },
  };
}

/** Newest events of a log in memory, within bounds. */
function createEventBuffer<Event extends { readonly position: Position }>(most: {
  readonly events: number;
  readonly bytes: number;
}) {
  const events: { readonly event: Event; readonly bytes: number }[] = [];
  let total = 0;
  let floor: Position | undefined;
  let position: Position | undefined;
  return {
    /** All events after `floor` up to `position` are in memory. Both are undefined until `startAt`. */
    get floor() {
      return floor;
    },
    get position() {
      return position;
    },
    startAt(first: Position) {
      floor = first;
      position = first;
    },
    /** `bytes` is the event's stored size. Evicts the oldest events beyond the bounds, but never the newest. */
    add(event: Event, bytes: number) {
      position = event.position;
      events.push({ event, bytes });
      total += bytes;
      while (events.length > most.events || (total > most.bytes && events.length > 1)) {
        const oldest = events.shift();
        floor = oldest?.event.position ?? floor;
        total -= oldest?.bytes ?? 0;
      }
    },
    /**
     * At most `count` events after a position, which must not be before `floor`. Searches from the end, where most callers
     * are.
     */
    after(wanted: Position, count: number): readonly Event[] {
      const from = events.findLastIndex(({ event }) => event.position <= wanted) + 1;
      return events.slice(from, from + count).map(({ event }) => event);
    },
  };
}
