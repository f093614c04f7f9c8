/** The event log in EventStoreDB (or KurrentDB): streams `<prefix>.<category>-<id>`, so logs can share a database. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkAppend, checkKeepLast } from '../../kernel/ports/append-rules.ts';
import {
  type EventStore,
  type JsonObject,
  type LogWindow,
  type Position,
  type RecordedEvent,
  START,
  type WindowOptions,
} from '../../kernel/ports/event-store.ts';
import { type Logger, silentLogger } from '../../kernel/ports/logger.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { retry } from '../../kernel/runtime/retry.ts';
import { parseEventStoreDbUrl } from '../../operations/config/event-store-url.ts';
import { createAppender } from './append.ts';
import {
  type Connection,
  codeOf,
  EventStoreSilent,
  EventStoreUnreachable,
  openConnection,
  within,
} from './connection.ts';
import { createLogTail, type LogTail } from './log-tail.ts';
import {
  eventOf,
  idOf,
  isPosition,
  logRequest,
  positionOf,
  requirePosition,
  type StoredRecord,
  streamBackwardsRequest,
  streamRequest,
} from './messages.ts';
import {
  lastOfStream,
  lastRevision,
  pauseBeforeRetry,
  READ_PATIENCE,
  recordAt,
  recordsOf,
  refusePosition,
  retried,
  startAfter,
  untilShown,
} from './reading.ts';
import { subscribeToLog } from './subscription.ts';
import { isUnfinished, markAppend, requireFinished } from './unfinished-copy.ts';

export interface EventStoreDbOptions {
  /** The value of `EVENT_STORE_URL`. */
  readonly url: string;
  /** Letters, digits and underscores. */
  readonly prefix: string;
  /** User and password, where they are not in the address. */
  readonly user?: { readonly name: string; readonly password: string };
  /** File with the certificates of the authorities, where it is not in the address. */
  readonly caFile?: string;
  /** Time for which an append is retried while its outcome is unknown. Milliseconds; 10,000 unless given. */
  readonly appendPatience?: number;
  /** Time for which a start waits for the server. Milliseconds; 10,000 unless given. */
  readonly startPatience?: number;
  /** True while a backup is restored into the log: a log whose restoration is not finished is refused otherwise. */
  readonly isCopy?: boolean;
  /** Called when a connection is lost and is being restored, and when it is back. */
  readonly logger?: Logger;
}

/** Milliseconds. */
const START_PATIENCE = 10_000;
const START_PAUSE = 250;
const APPEND_PATIENCE = 10_000;
/** Milliseconds between two reads of the end, for an event that may just have been appended elsewhere. */
const SHOWN_PAUSES = [20, 80, 300];
/** Codes of gRPC. */
const UNKNOWN = 2;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

export interface EventStoreDb extends EventStore {
  /** Why the log cannot be followed, or appends are refused. `head` shows whether the store answers at all. */
  trouble(): string | undefined;
  /** The log is a part of a backup from now on, and refused where it is opened, until `finishCopy`. */
  beginCopy(): Promise<void>;
  finishCopy(): Promise<void>;
}

/** Rejects with `OperatorError` when the server does not answer, or refuses, and for a log that is not whole. */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDb> {
  const parsed = parseEventStoreDbUrl(options.url);
  const address = {
    ...parsed,
    user: options.user ?? parsed.user,
    caFile: parsed.caFile ?? options.caFile,
  };
  const prefix = `${options.prefix}.`;
  const logger = options.logger ?? silentLogger;
  const calls = openConnection(address, 'calls');
  const subscriptions = openConnection(address, 'subscriptions');
  const tail = createLogTail({ subscriptions, calls, prefix, logger });
  const appender = createAppender(calls, options.appendPatience ?? APPEND_PATIENCE);
  let closed = false;

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    await appender.close();
    await tail.end();
    await Promise.all([calls.close(), subscriptions.close()]);
  }

  const trouble = () => tail.trouble ?? appender.trouble();

  /** Repeated until the server answers, or no try is left. */
  const headInTheEnd = () => retried(tail.head);

  const store: EventStoreDb = {
    async append(stream, expected, events) {
      if (tail.isReplaced) throw new EventStoreSilent(tail.trouble ?? 'the event log was replaced');
      const checked = checkAppend(stream, expected, events);
      const result = await appender.append(prefix + stream, expected, checked);
      if (result.outcome === 'conflict') {
        if (result.actual !== 'none' && (expected === 'none' || result.actual > expected))
          await untilShown(calls, prefix + stream, result.actual);
        return result;
      }
      // The server remembers only the revision of an append whose events are no longer kept.
      return { ...result, position: result.position ?? (await headInTheEnd()) };
    },

    async keepLast(stream, count) {
      checkKeepLast(stream, count);
      const metadataStream = `$$${prefix}${stream}`;
      const record = await lastOfStream(calls, metadataStream);
      // The server accepts only JSON for a stream's metadata, whoever set it.
      const metadata: JsonObject = record ? JSON.parse(Buffer.from(record.getData_asU8()).toString()) : {};
      // Setting it appends an event, which every start would otherwise repeat.
      if (metadata.$maxCount === count) return;
      const data = { ...metadata, $maxCount: count };
      const event = { id: randomUUID(), type: '$metadata', data, metadata: {} };
      // At any revision: the last write wins, and repeating it does no harm.
      await appender.append(metadataStream, 'any', [{ event, data: JSON.stringify(data), metadata: '{}' }]);
    },

    read: (stream, from = 0) => readStream(calls, prefix, { stream, begin: from, step: 1 }),
    readBackwards: (stream, before = Number.MAX_SAFE_INTEGER) =>
      readStream(calls, prefix, { stream, begin: before - 1, step: -1 }),

    async readWindow(options) {
      const { from, direction } = options;
      if (from !== undefined) requirePosition(from);
      return retried(async () => {
        const head = await headInTheEnd();
        if (from !== undefined && from > head)
          throw new TypeError(`"${from}" is beyond the end of this event store`);
        const window = direction === 'forwards' ? windowAfter : windowBefore;
        return window(calls, prefix, options, head).catch(refusePosition);
      });
    },

    async idAt(position) {
      try {
        const record = await recordAt(calls, position);
        return record && idOf(record);
      } catch (error) {
        if (codeOf(error) !== UNKNOWN) throw error;
        // The server says the same while it starts or stops; then this rejects.
        await headInTheEnd();
        return undefined;
      }
    },

    async mayHave(position) {
      if (!isPosition(position)) return false;
      if (position <= (tail.position ?? START)) return true;
      // Another process may just have been given it, a moment before the server shows it here.
      for (const pause of SHOWN_PAUSES) {
        if (position <= (await headInTheEnd())) return true;
        await sleep(pause);
      }
      return position <= (await headInTheEnd());
    },
    subscribe: (wanted) => subscribeToLog({ connection: subscriptions, tail, prefix, logger }, wanted),
    head: () => within(READ_PATIENCE, headInTheEnd(), 'the event store does not answer'),
    extentOf: (position) => ({ unit: 'bytes', amount: Number(position) }),
    trouble,
    async beginCopy() {
      if (!(await isUnfinished(calls, options.prefix)))
        await appender.append(...markAppend(options.prefix, 'begun'));
    },
    async finishCopy() {
      if (await isUnfinished(calls, options.prefix))
        await appender.append(...markAppend(options.prefix, 'finished'));
    },
    close,
  };
  try {
    await answerOf(tail.head, options.startPatience ?? START_PATIENCE, parsed.shown);
    if (options.isCopy !== true) await requireFinished(calls, options.prefix);
  } catch (error) {
    await close();
    throw error;
  }
  return store;
}

/** The events at `begin` and beyond, in steps of revisions. */
async function* readStream(
  connection: Connection,
  prefix: string,
  wanted: { readonly stream: string; readonly begin: number; readonly step: 1 | -1 },
): AsyncGenerator<RecordedEvent, void> {
  const { begin, step } = wanted;
  const stream = prefix + wanted.stream;
  let next = begin;
  for (let tries = 0; ; tries += 1) {
    try {
      if (step === -1) next = Math.min(next, await lastRevision(connection, stream));
      if (next < 0) return;
      const request = step === 1 ? streamRequest(stream, next) : streamBackwardsRequest(stream, next);
      for await (const record of recordsOf(connection, request)) {
        const event = eventOf(record, prefix);
        if (event === undefined) continue;
        yield event;
        next = event.revision + step;
        tries = 0;
      }
      return;
    } catch (error) {
      await pauseBeforeRetry(tries, error);
    }
  }
}

/** In one line, without the library's notes for its own developers. */
function reasonOf(error: unknown): string {
  return messageOf(error)
    .replace(/\s*Resolution note:.*/s, '')
    .replace(/\s+/g, ' ');
}

/** Repeated until the server answers; rejects with `EventStoreUnreachable` when it refuses the user, or after the patience. */
function answerOf(head: LogTail['head'], patience: number, shown: string): Promise<Position> {
  const giveUpAt = performance.now() + patience;
  return retry(() => head(), {
    pauses: [START_PAUSE],
    failed(cause) {
      const code = codeOf(cause);
      if (code === PERMISSION_DENIED || code === UNAUTHENTICATED) {
        throw new EventStoreUnreachable(
          `the event store at ${shown} does not let this user read $all: correct user and password, or give the user the right to read $all (docs/how-to/operate/use-eventstoredb.md)`,
          { cause },
        );
      }
      if (performance.now() + START_PAUSE >= giveUpAt) {
        const reason = reasonOf(cause);
        throw new EventStoreUnreachable(`the event store at ${shown} does not answer: ${reason}`, { cause });
      }
    },
  });
}

/** A bounded number of the database's records, other logs' and its own among them. */
async function windowAfter(
  connection: Connection,
  prefix: string,
  { from = START, limit }: WindowOptions,
  head: Position,
): Promise<LogWindow> {
  const start = await startAfter(connection, from);
  // The server begins with the record at the start itself.
  const found = await allOf(connection, logRequest(start, 'forwards', { count: limit + 1 }));
  const records = found.filter((record) => positionOf(record) > from).slice(0, limit);
  const events = eventsIn(records, prefix);
  const last = records.at(-1);
  const looked = last === undefined ? from : positionOf(last);
  // Behind the log's last event there are only records of others, which make no positions of this log.
  const reached = later(events.at(-1)?.position ?? from, looked < head ? looked : head);
  return { events, reached, isEnd: reached >= head };
}

/** From the log's last event, however many records of others came after it. */
async function windowBefore(
  connection: Connection,
  prefix: string,
  { from, limit }: WindowOptions,
  head: Position,
): Promise<LogWindow> {
  if ((from ?? head) === START) return { events: [], reached: START, isEnd: true };
  const newest =
    from === undefined ? await allOf(connection, logRequest(head, 'forwards', { count: 1 })) : [];
  if (from !== undefined) await startAfter(connection, from);
  const wanted = limit - newest.length;
  const request = logRequest(from ?? head, 'backwards', { count: wanted });
  const before = wanted === 0 ? [] : await allOf(connection, request);
  const records = [...newest, ...before];
  const last = records.at(-1);
  return {
    events: eventsIn(records, prefix),
    reached: last === undefined ? START : positionOf(last),
    isEnd: before.length < wanted,
  };
}

async function allOf(connection: Connection, request: ReturnType<typeof logRequest>) {
  const records: StoredRecord[] = [];
  for await (const record of recordsOf(connection, request)) records.push(record);
  return records;
}

function eventsIn(records: readonly StoredRecord[], prefix: string): readonly RecordedEvent[] {
  return records.flatMap((record) => eventOf(record, prefix) ?? []);
}

function later(one: Position, other: Position): Position {
  return one > other ? one : other;
}
