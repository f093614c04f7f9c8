/** Takes what a call of EventStoreDB sends, one by one, and lets go of the call however the taking ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type Position, START } from '../../ports/event-store.ts';
import { type Connection, codeOf, isPassing } from './connection.ts';
import { EventStoreSilent } from './errors.ts';
import { isOurs, logRequest, positionOf, type StoredRecord } from './messages.ts';

export interface TakeOptions {
  /** Rejects with `EventStoreSilent` when nothing has come for so long. Milliseconds; for ever when absent. */
  readonly patience?: number;
  /** Ends the taking without an error. */
  readonly signal?: AbortSignal;
}

/** Reads ignore deadlines, so that a stalled server would be waited for without end. Milliseconds. */
export const READ_PATIENCE = 5_000;

/** Looked at so often while nothing comes, in parts of the patience. */
const LOOKS = 4;
const UNKNOWN = 2;

/** Everything that the call sends. A call that is not let go of would be one of the hundred that a connection can carry. */
export async function* take(
  connection: Connection,
  request: ReadReq,
  { patience, signal }: TakeOptions,
): AsyncGenerator<ReadResp, void> {
  const call = await unlessAborted(signal, connection.read(request), (late) => late.cancel());
  if (call === undefined) return;
  const leave = () => void call.destroy();
  let looks = 0;
  let waits = false;
  const watching =
    patience === undefined
      ? undefined
      : setInterval(() => {
          looks += 1;
          if (waits && looks > LOOKS) call.destroy(new EventStoreSilent('the event store does not answer'));
        }, patience / LOOKS);
  signal?.addEventListener('abort', leave);
  try {
    const iterator: AsyncIterator<ReadResp> = call[Symbol.asyncIterator]();
    for (;;) {
      looks = 0;
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
    clearInterval(watching);
    signal?.removeEventListener('abort', leave);
    call.cancel();
    call.destroy();
  }
}

/**
 * Before the next tries of a read that failed in passing: after a connection was lost the first call still finds out.
 * Milliseconds.
 */
const RETRY_PAUSES = [0, 50, 150, 400, 800];

/** The pause before the next try, by the number of tries so far; rejects with the error when none is left. */
export async function pauseBeforeRetry(tries: number, error: unknown): Promise<void> {
  const pause = RETRY_PAUSES[tries];
  if (pause === undefined || !isPassing(error)) throw error;
  await sleep(pause);
}

/** Undefined as soon as the signal is aborted; what comes too late is dropped. */
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

/** The position of the first record in a direction; undefined if there is none. */
export async function firstRecord(
  connection: Connection,
  from: Position | 'end',
  direction: 'forwards' | 'backwards',
  signal?: AbortSignal,
): Promise<Position | undefined> {
  const record = await oneRecord(connection, from, direction, signal);
  return record && positionOf(record);
}

async function oneRecord(
  connection: Connection,
  from: Position | 'end',
  direction: 'forwards' | 'backwards',
  signal: AbortSignal | undefined,
): Promise<StoredRecord | undefined> {
  const request = logRequest(from, direction, { count: 1 });
  for await (const message of take(connection, request, patiently(signal))) {
    const record = message.getEvent()?.getEvent();
    if (record !== undefined) return record;
  }
  return undefined;
}

/**
 * Where a subscription can begin that is to deliver what is after `position`. The server skips the first record from
 * there on, whichever it is, so it must be given one that is still there; the record at `position` may have been
 * cleaned up since. Rejects with a TypeError if there never was one.
 */
export async function startAfter(
  connection: Connection,
  position: Position,
  signal: AbortSignal,
): Promise<Position> {
  if (position === START) return START;
  try {
    if ((await firstRecord(connection, position, 'forwards', signal)) === position) return position;
    return (await firstRecord(connection, position, 'backwards', signal)) ?? START;
  } catch (error) {
    if (codeOf(error) !== UNKNOWN) throw error;
    throw new TypeError(`"${position}" is not a position of this event store`, { cause: error });
  }
}

/** The id of the record at a position; undefined if there is none, or none any more. */
export async function idAt(
  connection: Connection,
  position: Position,
  signal: AbortSignal,
): Promise<string | undefined> {
  const record = await oneRecord(connection, position, 'forwards', signal);
  return record && positionOf(record) === position ? record.getId()?.getString() : undefined;
}

/** The position of the last event of ours, found from the end; undefined if there is none. */
export async function lastPosition(
  connection: Connection,
  prefix: string,
  signal?: AbortSignal,
): Promise<Position | undefined> {
  // More than one, for the last may be a marker of the database; at first not many, for events may be large.
  for (const count of [1, 100]) {
    const request = logRequest('end', 'backwards', { count, prefixes: [prefix] });
    for await (const message of take(connection, request, patiently(signal))) {
      const record = message.getEvent()?.getEvent();
      if (record !== undefined && isOurs(record, prefix)) return positionOf(record);
    }
  }
  return undefined;
}

export function patiently(signal?: AbortSignal): TakeOptions {
  return { patience: READ_PATIENCE, ...(signal === undefined ? {} : { signal }) };
}
