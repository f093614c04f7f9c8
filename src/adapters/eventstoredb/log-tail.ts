/**
 * The end of the log, as this process knows it: one server subscription, which never waits for a subscriber, keeps the
 * newest events in memory, where each subscriber reads them at its own pace. It also tells how far back the log's last
 * event has to be searched in a shared database, and whether the server still has the log that was followed.
 */
import { setMaxListeners } from 'node:events';
import { type Position, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { type Connection, codeOf } from './connection.ts';
import { createEventBuffer } from './event-buffer.ts';
import {
  eventOf,
  idOf,
  isOurs,
  positionOf,
  revisionNumber,
  type StoredRecord,
  streamOf,
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
} from './reading.ts';

/** An event of this log whose text is parsed only for a subscriber that asked for its category. */
export interface TailEvent {
  readonly position: Position;
  readonly stream: string;
  event(): RecordedEvent;
}

export interface LogTail {
  /** All events after `floor` up to `position` are kept. Both are undefined until the log is followed. */
  readonly floor: Position | undefined;
  readonly position: Position | undefined;
  /** Why the log cannot be followed; undefined while it is. */
  readonly trouble: string | undefined;
  /** Aborted at the end. */
  readonly ending: AbortSignal;
  /** The server has another log than before, or an older copy of it. */
  readonly isReplaced: boolean;
  /** Resolves at the next change, and when the signal is aborted. */
  changed(until: AbortSignal): Promise<void>;
  /** Events after a position, which must not be before `floor`; at most `count`. */
  after(position: Position, count: number): readonly TailEvent[];
  /** The position of the log's last event, asked of the server. If the signal is aborted, the result means nothing. */
  head(signal?: AbortSignal): Promise<Position>;
  /** Starts following. */
  begin(): void;
  end(): Promise<void>;
}

export interface LogTailOptions {
  /** For the subscription, and for what it needs to begin. */
  readonly subscriptions: Connection;
  /** For searches of the end. */
  readonly calls: Connection;
  /** The prefix of this log's stream names. */
  readonly prefix: string;
  readonly logger: Logger;
}

/** Kept until either limit is reached. Subscribers that fall behind further read from the server again. */
const MOST = { events: 2_000, bytes: 16 * 1024 * 1024 };
/** Milliseconds before a subscription that has ended begins again. */
export const RESUBSCRIBE_PAUSE = 250;
/** Code of gRPC. */
const ABORTED = 10;
/** The trouble once the server has another log than the one that was followed. */
const REPLACED = 'the event log was replaced: restart this process';

export function createLogTail({ subscriptions, calls, prefix, logger }: LogTailOptions): LogTail {
  const buffer = createEventBuffer<TailEvent>(MOST);
  const waiting = new Set<() => void>();
  const ending = new AbortController();
  const { signal } = ending;
  // Each subscriber listens.
  setMaxListeners(0, signal);
  let following: Promise<void> | undefined;
  let trouble: string | undefined;
  let isReplaced = false;
  /** Where the server last dropped the subscription for being slow. */
  let droppedAt: Position | undefined;
  /** The last event that was followed. */
  let followed: StoredRecord | undefined;
  /** The newest event that is known, and up to where the log was searched in vain for a later one. */
  let known: { readonly last: Position; readonly searchedTo: Position } | undefined;

  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }

  function learn(last: Position, searchedTo: Position): void {
    if (known === undefined || last > known.last || (last === known.last && searchedTo > known.searchedTo))
      known = { last, searchedTo };
  }

  async function head(until?: AbortSignal): Promise<Position> {
    const record = await lastRecord(calls, until);
    const end = record === undefined ? START : positionOf(record);
    const last = record !== undefined && isOurs(record, prefix) ? end : await lastUpTo(end, until);
    // An aborted read has found out nothing.
    if (until?.aborted !== true) learn(last, last > end ? last : end);
    return last;
  }

  /** Few records are read, however many are new: an idle log is searched forwards, any other backwards from the end. */
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
    followed = found === START ? undefined : await recordAt(subscriptions, found, signal);
    if (signal.aborted) return;
    buffer.startAt(found);
    wakeAll();
  }

  /** Its place may hold another event, or none, where an older copy of the log was restored. */
  async function idOfFollowed(): Promise<string | undefined> {
    const stream = followed && streamOf(followed, prefix);
    if (followed === undefined || stream === undefined) return undefined;
    const revision = revisionNumber(followed.getStreamRevision());
    return idAtRevision(subscriptions, prefix + stream, revision, signal);
  }

  /** A scavenged event does not mean a different log. */
  function requireSame(found: string | undefined): void {
    if (found === undefined || followed === undefined || found === idOf(followed)) return;
    if (!isReplaced) logger.warn({}, 'event log replaced, restart this process');
    isReplaced = true;
    throw new Error(REPLACED);
  }

  /**
   * Where the subscription must start to deliver what is after the place. Rejects if the log is another one: a restored
   * older copy may have grown since, and its new events before our place would be skipped silently.
   */
  async function resumeAfter(place: Position): Promise<Position> {
    const start = await startAfter(subscriptions, place, signal).catch(async (error: unknown) => {
      // Only an event that is another one shows that the log is another one; `unknown` may pass.
      if (error instanceof PositionUnknown) requireSame(await idOfFollowed());
      throw error;
    });
    const record = await recordAt(subscriptions, place, signal);
    requireSame(record === undefined ? await idOfFollowed() : idOf(record));
    // A log that ends earlier lacks what was followed: what it records next would lie before the place, and be missed.
    if (record === undefined) {
      const last = await lastRecord(subscriptions, signal);
      if (place > (last === undefined ? START : positionOf(last)))
        throw new Error(`the event log ends before ${place}, which was followed before`);
    }
    return start;
  }

  function keep(record: StoredRecord, stream: string): void {
    const position = positionOf(record);
    buffer.add(
      tailEvent(record, prefix, { position, stream }),
      record.getData_asU8().length + record.getCustomMetadata_asU8().length,
    );
    followed = record;
    learn(position, position);
    wakeAll();
  }

  async function connect(): Promise<void> {
    if (buffer.position === undefined) await startAtEnd();
    if (buffer.position === undefined) return;
    const start = await resumeAfter(buffer.position);
    for await (const message of take(subscriptions, subscriptionRequest(start, [prefix]), { signal })) {
      if (trouble !== undefined) logger.warn({}, 'event log subscription restored');
      trouble = undefined;
      const record = message.getEvent()?.getEvent();
      const stream = record && streamOf(record, prefix);
      if (record === undefined || stream === undefined || positionOf(record) <= buffer.position) continue;
      keep(record, stream);
    }
    if (!signal.aborted) throw new Error('the event store ended the subscription');
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        await connect();
      } catch (error) {
        // The server drops subscribers that fall behind for a moment: that is normal, but not twice at one place.
        if (codeOf(error) === ABORTED && buffer.position !== droppedAt) {
          droppedAt = buffer.position;
          continue;
        }
        if (trouble === undefined) logger.warn({ error: messageOf(error) }, 'event log subscription lost');
        trouble = messageOf(error);
        await sleep(RESUBSCRIBE_PAUSE, signal);
      }
    }
  }

  return {
    get floor() {
      return buffer.floor;
    },
    get position() {
      return buffer.position;
    },
    get trouble() {
      return isReplaced ? REPLACED : trouble;
    },
    ending: signal,
    get isReplaced() {
      return isReplaced;
    },
    changed: (until) =>
      new Promise((resolve) => {
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

function tailEvent(
  record: StoredRecord,
  prefix: string,
  place: Pick<TailEvent, 'position' | 'stream'>,
): TailEvent {
  let parsed: RecordedEvent | undefined;
  return {
    ...place,
    event() {
      parsed ??= eventOf(record, prefix);
      if (parsed === undefined) throw new Error('only events of this log are kept');
      return parsed;
    },
  };
}
