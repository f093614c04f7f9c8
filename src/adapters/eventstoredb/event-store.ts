/** Event store in EventStoreDB (or KurrentDB). Streams are called `<prefix>.<category>-<id>`, so logs can share a database. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkAppend } from '../../kernel/ports/append-rules.ts';
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
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { retry } from '../../kernel/runtime/retry.ts';
import { parseEventStoreDbUrl } from '../../operations/config/event-store-url.ts';
import { createAppender } from './append.ts';
import {
  type Connection,
  codeOf,
  EventStoreSilent,
  EventStoreUnreachable,
  openConnection,
  withTimeout,
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
  READ_TIMEOUT,
  recordAt,
  recordsOf,
  refusePosition,
  retried,
  startAfter,
  untilVisible,
} from './read-stream.ts';
import { subscribeToLog } from './subscription.ts';
import { isUnfinished, markAppend, requireFinished } from './unfinished-copy.ts';

export interface EventStoreDbOptions {
  readonly url: string;
  /** Letters, digits and underscores. */
  readonly prefix: string;
  /** User and password, unless the address contains them. */
  readonly user?: { readonly name: string; readonly password: string };
  /** File with the certificates of the authorities, unless the address names one. */
  readonly caFile?: string;
  /** Timeout in milliseconds of an append whose outcome is unknown and that is retried; default 10,000. */
  readonly appendTimeout?: number;
  /** Timeout in milliseconds of the connection at startup; default 10,000. */
  readonly startTimeout?: number;
  /** True while a backup is restored into the log; otherwise an unfinished restore is rejected. */
  readonly isCopy?: boolean;
  /** Receives an entry when a connection is lost, and when it is restored. */
  readonly logger?: Logger;
}

/** Milliseconds: default timeouts of startup and of an append, and the pause between attempts at startup. */
const START_TIMEOUT = 10_000;
const START_PAUSE = 250;
const APPEND_TIMEOUT = 10_000;
/** Milliseconds between reads of the end, for an event that another process may just have appended. */
const VISIBILITY_PAUSES = [20, 80, 300];
/** gRPC codes. */
const UNKNOWN = 2;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

export interface EventStoreDb extends EventStore {
  /** Reason why the log cannot be read or appended to; otherwise undefined. `head` rejects if the store does not respond. */
  trouble(): string | undefined;
  /** Marks the log as an unfinished restore, which services refuse to open, until `finishCopy`. */
  startCopy(): Promise<void>;
  finishCopy(): Promise<void>;
}

/** Rejects with `OperatorError` if the server does not respond or rejects the user, or if a restore is unfinished. */
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
  const appender = createAppender(calls, options.appendTimeout ?? APPEND_TIMEOUT);
  let closed = false;

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    await appender.close();
    await tail.end();
    await Promise.all([calls.close(), subscriptions.close()]);
  }

  const trouble = () => tail.trouble ?? appender.trouble();

  /** Retries until the server responds or the retries are exhausted. */
  const headInTheEnd = () => retried(tail.head);

  const store: EventStoreDb = {
    async append(stream, expected, events) {
      if (tail.isReplaced) throw new EventStoreSilent(tail.trouble ?? 'the event log was replaced');
      const checked = checkAppend(stream, expected, events);
      const result = await appender.append(prefix + stream, expected, checked);
      if (result.outcome === 'conflict') {
        if (result.actual !== 'none' && (expected === 'none' || result.actual > expected))
          await untilVisible(calls, prefix + stream, result.actual);
        return result;
      }
      // For events that are no longer stored, the server returns the revision of an append but not its position.
      return { ...result, position: result.position ?? (await headInTheEnd()) };
    },

    async setMaxCount(stream, count) {
      const metadataStream = `$$${prefix}${stream}`;
      const record = await lastOfStream(calls, metadataStream);
      // The server accepts only JSON as a stream's metadata.
      const metadata: JsonObject = record ? JSON.parse(Buffer.from(record.getData_asU8()).toString()) : {};
      // Each write of the metadata appends an event, which every start would repeat.
      if (metadata.$maxCount === count) return;
      const data = { ...metadata, $maxCount: count };
      const event = { id: randomUUID(), type: '$metadata', data, metadata: {} };
      // Expects any revision: the last write wins, and repeating it is harmless.
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
        // The server also responds `unknown` while it starts or stops; then this read rejects.
        await headInTheEnd();
        return undefined;
      }
    },

    async mayHave(position) {
      if (!isPosition(position)) return false;
      if (position <= (tail.position ?? START)) return true;
      // The server may have reported the position to another process before this connection can read it, so read the end again.
      for (const pause of VISIBILITY_PAUSES) {
        if (position <= (await headInTheEnd())) return true;
        await sleep(pause);
      }
      return position <= (await headInTheEnd());
    },
    subscribe: (wanted) => subscribeToLog({ connection: subscriptions, tail, prefix, logger }, wanted),
    head: () => withTimeout(READ_TIMEOUT, headInTheEnd(), 'the event store does not respond'),
    extentOf: (position) => ({ unit: 'bytes', amount: Number(position) }),
    trouble,
    async startCopy() {
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
    await answerOf(tail.head, options.startTimeout ?? START_TIMEOUT, parsed.shown);
    if (options.isCopy !== true) await requireFinished(calls, options.prefix);
  } catch (error) {
    await close();
    throw error;
  }
  return store;
}

/** Reads events from revision `begin` on, forwards or backwards. */
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

/** Error message on one line, without the library's notes for its developers. */
function reasonOf(error: unknown): string {
  return errorMessage(error)
    .replace(/\s*Resolution note:.*/s, '')
    .replace(/\s+/g, ' ');
}

/** Retries until the server responds. Rejects with `EventStoreUnreachable` if it rejects the user, or after `patience`. */
function answerOf(head: LogTail['head'], patience: number, shown: string): Promise<Position> {
  const giveUpAt = performance.now() + patience;
  return retry(() => head(), {
    pauses: [START_PAUSE],
    failed(cause) {
      const code = codeOf(cause);
      if (code === PERMISSION_DENIED || code === UNAUTHENTICATED) {
        throw new EventStoreUnreachable(
          `the event store at ${shown} denies this user read access to $all: correct user and password, or grant the user that access (docs/how-to/operate/use-eventstoredb.md)`,
          { cause },
        );
      }
      if (performance.now() + START_PAUSE >= giveUpAt) {
        const reason = reasonOf(cause);
        throw new EventStoreUnreachable(`the event store at ${shown} does not respond: ${reason}`, { cause });
      }
    },
  });
}

/** Reads a bounded number of the database's records, including records of other logs. */
async function windowAfter(
  connection: Connection,
  prefix: string,
  { from = START, limit }: WindowOptions,
  head: Position,
): Promise<LogWindow> {
  const start = await startAfter(connection, from);
  // The server includes the record at the start.
  const found = await allOf(connection, logRequest(start, 'forwards', { count: limit + 1 }));
  const records = found.filter((record) => positionOf(record) > from).slice(0, limit);
  const events = eventsIn(records, prefix);
  const last = records.at(-1);
  const lastRead = last === undefined ? from : positionOf(last);
  // Only records of other logs follow the last event of this log, and their positions are invalid here.
  const reached = laterOf(events.at(-1)?.position ?? from, lastRead < head ? lastRead : head);
  return { events, reached, isEnd: reached >= head };
}

/** Reads backwards from the log's last event, skipping later records of other logs. */
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

function laterOf(one: Position, other: Position): Position {
  return one > other ? one : other;
}
