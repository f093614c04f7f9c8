/** Reads from EventStoreDB with timeouts and retries, and always releases the call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type Position, START } from '../../kernel/ports/event-store.ts';
import { type Connection, codeOf, EventStoreSilent, isTransient, silenceAfter } from './connection.ts';
import {
  belongsToLog,
  idOf,
  logRequest,
  positionOf,
  revisionNumber,
  type StoredRecord,
  streamBackwardsRequest,
  streamRequest,
} from './messages.ts';

interface TakeOptions {
  /** True if silence is normal. Otherwise, reading rejects with `EventStoreSilent` after five seconds without a message. */
  readonly isLive?: boolean;
  /** Ends the read without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called on silence; the read continues if it resolves. A filtered read is silent while records do not match. */
  readonly probe?: () => Promise<unknown>;
}

/** Milliseconds without a message. Reads ignore deadlines, so a stalled server would block them indefinitely. */
export const READ_TIMEOUT = 5_000;

const UNKNOWN = 2;

/** Yields all messages of the call. A connection carries at most a hundred calls, so each must be released. */
export async function* take(
  connection: Connection,
  request: ReadReq,
  { isLive = false, signal, probe }: TakeOptions,
): AsyncGenerator<ReadResp, void> {
  const call = await connection.read(request, signal).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
  if (call === undefined) return;
  const leave = () => void call.destroy();
  let waits = false;
  const abandon = () => void call.destroy(new EventStoreSilent('the event store does not respond'));
  const silence = isLive ? undefined : setTimeout(onSilence, READ_TIMEOUT);
  function onSilence(): void {
    // The timer restarts with the next read if the consumer is slow.
    if (!waits) return;
    if (probe === undefined) abandon();
    else probe().then(() => waits && silence?.refresh(), abandon);
  }
  signal?.addEventListener('abort', leave);
  try {
    const iterator: AsyncIterator<ReadResp> = call[Symbol.asyncIterator]();
    for (;;) {
      silence?.refresh();
      waits = true;
      const { done, value } = await iterator.next();
      waits = false;
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    if (signal?.aborted) return;
    connection.failed(error);
    throw error;
  } finally {
    waits = false;
    clearTimeout(silence);
    signal?.removeEventListener('abort', leave);
    call.cancel();
    call.destroy();
  }
}

/** Milliseconds before each retry of a read that failed temporarily; the first call after a lost connection still fails. */
const RETRY_PAUSES = [0, 50, 150, 400, 800];

/** Pauses before the next retry. Rejects with `EventStoreSilent` when no retry is left, and with permanent errors. */
export async function pauseBeforeRetry(tries: number, error: unknown): Promise<void> {
  const pause = RETRY_PAUSES[tries];
  if (!isTransient(error)) throw error;
  if (pause === undefined) throw silenceAfter(error);
  await sleep(pause);
}

export async function retried<Found>(read: () => Promise<Found>): Promise<Found> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      await pauseBeforeRetry(tries, error);
    }
  }
}

export async function* recordsOf(
  connection: Connection,
  request: ReadReq,
  options: TakeOptions = {},
): AsyncGenerator<StoredRecord, void> {
  for await (const message of take(connection, request, options)) {
    const record = message.getEvent()?.getEvent();
    if (record !== undefined) yield record;
  }
}

async function firstOf(records: AsyncIterable<StoredRecord>): Promise<StoredRecord | undefined> {
  for await (const record of records) return record;
  return undefined;
}

/** Milliseconds before each retry with a position that the server does not recognize. */
const UNKNOWN_PAUSES = [50, 200, 500];

/** Newest record of the database, which may belong to another log. */
export function lastRecord(connection: Connection, signal?: AbortSignal): Promise<StoredRecord | undefined> {
  return oneRecord(connection, 'end', 'backwards', signal);
}

/** Newest event of a stream; undefined for an empty stream. */
export function lastOfStream(connection: Connection, stream: string): Promise<StoredRecord | undefined> {
  return firstOf(recordsOf(connection, streamBackwardsRequest(stream, undefined, '1')));
}

function oneRecord(
  connection: Connection,
  from: Position | 'end',
  direction: 'forwards' | 'backwards',
  signal: AbortSignal | undefined,
): Promise<StoredRecord | undefined> {
  return firstOf(recordsOf(connection, logRequest(from, direction, { count: 1 }), { signal }));
}

/** The server does not recognize the position: it is not in the log, or the server is starting or stopping. */
export class PositionUnknown extends Error {
  override readonly name = 'PositionUnknown';
}

/** Treats a position that the server repeatedly does not recognize as the caller's error. */
export function refusePosition(error: unknown): never {
  throw error instanceof PositionUnknown ? new TypeError(error.message, { cause: error }) : error;
}

/**
 * Start of a subscription that delivers all events after `position`. The server skips the first record at or after the
 * start, so the start must be an existing record; the one at `position` may have been scavenged. Rejects with
 * `PositionUnknown` if the server repeatedly does not recognize the position, but responds to other reads.
 */
export async function startAfter(
  connection: Connection,
  position: Position,
  signal?: AbortSignal,
): Promise<Position> {
  if (position === START) return START;
  for (let tries = 0; ; tries += 1) {
    try {
      if ((await recordAt(connection, position, signal)) !== undefined) return position;
      const before = await oneRecord(connection, position, 'backwards', signal);
      return before === undefined ? START : positionOf(before);
    } catch (error) {
      if (codeOf(error) !== UNKNOWN || signal?.aborted) throw error;
      const pause = UNKNOWN_PAUSES[tries];
      // Rejects if the server does not respond at all.
      await lastRecord(connection, signal);
      if (pause === undefined) {
        throw new PositionUnknown(`position "${position}" does not exist in the event store`, {
          cause: error,
        });
      }
      await sleep(pause);
    }
  }
}

/** Id of the event at a revision of a stream; undefined if it does not exist or was scavenged. */
export async function idAtRevision(
  connection: Connection,
  stream: string,
  revision: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const record = await firstOf(recordsOf(connection, streamRequest(stream, revision), { signal }));
  return record && revisionNumber(record.getStreamRevision()) === revision ? idOf(record) : undefined;
}

/** Record at a position; undefined if it does not exist or was scavenged. */
export async function recordAt(
  connection: Connection,
  position: Position,
  signal?: AbortSignal,
): Promise<StoredRecord | undefined> {
  const record = await oneRecord(connection, position, 'forwards', signal);
  return record && positionOf(record) === position ? record : undefined;
}

/** Position of this log's last event, searched from the end; undefined for an empty log. */
export async function lastPosition(
  connection: Connection,
  prefix: string,
  signal?: AbortSignal,
): Promise<Position | undefined> {
  // More than one, because the last may be a marker of the database; few at first, because events may be large.
  for (const count of [1, 100, undefined]) {
    const request = logRequest('end', 'backwards', {
      ...(count === undefined ? {} : { count }),
      prefixes: [prefix],
    });
    for await (const record of recordsOf(connection, request, scanning(connection, signal)))
      if (belongsToLog(record, prefix)) return positionOf(record);
  }
  return undefined;
}

/** Position of the first record after `from` in a stream of this log; undefined if no record follows. */
export async function firstMatch(
  connection: Connection,
  prefix: string,
  from: Position,
  signal?: AbortSignal,
): Promise<Position | undefined> {
  // The read is inclusive, so the first record may be the one at `from`.
  const request = logRequest(from, 'forwards', { count: 2, prefixes: [prefix] });
  for await (const record of recordsOf(connection, request, scanning(connection, signal)))
    if (positionOf(record) > from) return positionOf(record);
  return undefined;
}

/**
 * The server may examine millions of other logs' records before its first message, so abandon the read only if other reads
 * get no response either.
 */
function scanning(connection: Connection, signal: AbortSignal | undefined): TakeOptions {
  return { signal, probe: () => lastRecord(connection, signal) };
}

/** Milliseconds between reads; about a second in total. */
const VISIBILITY_PAUSES = [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/**
 * Resolves when a read of the stream includes the revision that caused a conflict, or after a second. The wait is necessary
 * because the server includes events that are still being written when it compares revisions, so it can report a conflict
 * before these events can be read. Never rejects, because the conflict is certain.
 */
export async function untilVisible(connection: Connection, stream: string, revision: number): Promise<void> {
  for (const pause of VISIBILITY_PAUSES) {
    try {
      if ((await lastRevision(connection, stream)) >= revision) return;
    } catch {
      return;
    }
    await sleep(pause);
  }
}

/** Revision of the last event; -1 for an empty stream. */
export async function lastRevision(connection: Connection, stream: string): Promise<number> {
  const record = await lastOfStream(connection, stream);
  return record === undefined ? -1 : revisionNumber(record.getStreamRevision());
}
