/** Reads the messages of an EventStoreDB call one by one, and always releases the call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type Position, START } from '../../kernel/ports/event-store.ts';
import { type Connection, codeOf, isPassing } from './connection.ts';
import { EventStoreSilent, silenceAfter } from './errors.ts';
import {
  idOf,
  isOurs,
  lastOfStreamRequest,
  logRequest,
  positionOf,
  revisionNumber,
  type StoredRecord,
  streamRequest,
} from './messages.ts';

export interface TakeOptions {
  /** Rejects with `EventStoreSilent` after this long without a message. Milliseconds; never when absent. */
  readonly patience?: number;
  /** Ends the reading without an error. */
  readonly signal?: AbortSignal;
  /** Called on silence, which is waited out if it resolves: a filtered read is silent however many records do not match. */
  readonly probe?: () => Promise<unknown>;
}

/** Reads ignore deadlines, so a stalled server would be awaited for ever. Milliseconds. */
export const READ_PATIENCE = 5_000;

const UNKNOWN = 2;

/** All messages of the call. An unreleased call would take up one of the hundred that a connection can carry. */
export async function* take(
  connection: Connection,
  request: ReadReq,
  { patience, signal, probe }: TakeOptions,
): AsyncGenerator<ReadResp, void> {
  const call = await unlessAborted(signal, connection.read(request), (late) => late.cancel());
  if (call === undefined) return;
  const leave = () => void call.destroy();
  let waits = false;
  const abandon = () => void call.destroy(new EventStoreSilent('the event store does not answer'));
  const silence = patience === undefined ? undefined : setTimeout(onSilence, patience);
  function onSilence(): void {
    // Where the consumer is slow, the timer begins again with the next read.
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

/**
 * Pauses before retries of a read that failed temporarily: the first call after a lost connection still fails.
 * Milliseconds.
 */
const RETRY_PAUSES = [0, 50, 150, 400, 800];

/** Waits before the next retry, by the number of tries so far; rejects with `EventStoreSilent` when none is left. */
export async function pauseBeforeRetry(tries: number, error: unknown): Promise<void> {
  const pause = RETRY_PAUSES[tries];
  if (!isPassing(error)) throw error;
  if (pause === undefined) throw silenceAfter(error);
  await sleep(pause);
}

/** The records among the messages. */
export async function* recordsOf(
  connection: Connection,
  request: ReadReq,
  options: TakeOptions = patiently(),
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

/** Milliseconds before a position that the server does not know is asked for again. */
const UNKNOWN_PAUSES = [50, 200, 500];

/** Undefined as soon as the signal is aborted; a later result is dropped. */
async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: Promise<Result>,
  drop: (late: Result) => void,
): Promise<Result | undefined> {
  if (signal === undefined) return work;
  let leave = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
  });
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    const found = await Promise.race([aborted, work]);
    if (found === undefined) work.then(drop, () => undefined);
    return found;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** The newest record of the database, whosever it is. */
export function lastRecord(connection: Connection, signal?: AbortSignal): Promise<StoredRecord | undefined> {
  return oneRecord(connection, 'end', 'backwards', signal);
}

/** The newest event of a stream; undefined if there is none. */
export function lastOfStream(connection: Connection, stream: string): Promise<StoredRecord | undefined> {
  return firstOf(recordsOf(connection, lastOfStreamRequest(stream)));
}

function oneRecord(
  connection: Connection,
  from: Position | 'end',
  direction: 'forwards' | 'backwards',
  signal: AbortSignal | undefined,
): Promise<StoredRecord | undefined> {
  return firstOf(recordsOf(connection, logRequest(from, direction, { count: 1 }), patiently(signal)));
}

/** The server answers `unknown` to a position that is none of its log, but also while it starts or stops. */
export class PositionUnknown extends Error {
  override readonly name = 'PositionUnknown';
}

/**
 * Where a subscription must start to deliver what is after `position`. The server skips the first record from there on,
 * whichever it is, so it needs one that still exists; the record at `position` may have been scavenged. Rejects with
 * `PositionUnknown` when the server does not know the position, asked several times, while it answers other reads.
 */
export async function startAfter(
  connection: Connection,
  position: Position,
  signal: AbortSignal,
): Promise<Position> {
  if (position === START) return START;
  for (let tries = 0; ; tries += 1) {
    try {
      if ((await recordAt(connection, position, signal)) !== undefined) return position;
      const before = await oneRecord(connection, position, 'backwards', signal);
      return before === undefined ? START : positionOf(before);
    } catch (error) {
      if (codeOf(error) !== UNKNOWN || signal.aborted) throw error;
      const pause = UNKNOWN_PAUSES[tries];
      // Rejects where the server answers nothing at all.
      await lastRecord(connection, signal);
      if (pause === undefined) {
        throw new PositionUnknown(`the event store does not know the position "${position}"`, {
          cause: error,
        });
      }
      await sleep(pause);
    }
  }
}

/** The id of the event at a revision of a stream; undefined if there is none, or no longer. */
export async function idAtRevision(
  connection: Connection,
  stream: string,
  revision: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const record = await firstOf(recordsOf(connection, streamRequest(stream, revision), patiently(signal)));
  return record && revisionNumber(record.getStreamRevision()) === revision ? idOf(record) : undefined;
}

/** The record at a position; undefined if it does not exist, or no longer. */
export async function recordAt(
  connection: Connection,
  position: Position,
  signal?: AbortSignal,
): Promise<StoredRecord | undefined> {
  const record = await oneRecord(connection, position, 'forwards', signal);
  return record && positionOf(record) === position ? record : undefined;
}

/** The position of this log's last event, searched from the end; undefined if there is none. */
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
      if (isOurs(record, prefix)) return positionOf(record);
  }
  return undefined;
}

/** The position of the first record after `from` in a stream of this log; undefined if there is none. */
export async function firstMatch(
  connection: Connection,
  prefix: string,
  from: Position,
  signal?: AbortSignal,
): Promise<Position | undefined> {
  // Inclusive: the first may be the one at `from`.
  const request = logRequest(from, 'forwards', { count: 2, prefixes: [prefix] });
  for await (const record of recordsOf(connection, request, scanning(connection, signal)))
    if (positionOf(record) > from) return positionOf(record);
  return undefined;
}

/** The server may examine millions of other logs' records before it answers: it is abandoned when it answers nothing else either. */
function scanning(connection: Connection, signal: AbortSignal | undefined): TakeOptions {
  return { ...patiently(signal), probe: () => lastRecord(connection, signal) };
}

export function patiently(signal?: AbortSignal): TakeOptions {
  return { patience: READ_PATIENCE, ...(signal === undefined ? {} : { signal }) };
}
