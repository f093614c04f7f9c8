/** One window of the log: a bounded number of the database's records, other logs' and its own among them. */
import {
  type EventStore,
  type LogWindow,
  type Position,
  type RecordedEvent,
  START,
  type WindowOptions,
} from '../../kernel/ports/event-store.ts';
import type { Connection } from './connection.ts';
import { eventOf, logRequest, positionOf, requirePosition, type StoredRecord } from './messages.ts';
import { PositionUnknown, pauseBeforeRetry, recordsOf, startAfter } from './reading.ts';

interface WindowParts {
  readonly connection: Connection;
  /** The prefix of this log's stream names. */
  readonly prefix: string;
  /** Rejects once the store is closed. */
  readonly headInTheEnd: () => Promise<Position>;
}

export function createReadWindow(parts: WindowParts): EventStore['readWindow'] {
  const { headInTheEnd } = parts;
  return async (options) => {
    const { from } = options;
    if (from !== undefined) requirePosition(from);
    for (let tries = 0; ; tries += 1) {
      const head = await headInTheEnd();
      if (from !== undefined && from > head)
        throw new TypeError(`"${from}" is beyond the end of this event store`);
      try {
        return await (options.direction === 'forwards'
          ? windowAfter(parts, options, head)
          : windowBefore(parts, options, head));
      } catch (error) {
        if (error instanceof PositionUnknown) throw new TypeError(error.message, { cause: error });
        await pauseBeforeRetry(tries, error);
      }
    }
  };
}

async function windowAfter(
  { connection, prefix }: WindowParts,
  { from = START, limit }: WindowOptions,
  head: Position,
): Promise<LogWindow> {
  const start = await startAfter(connection, from, new AbortController().signal);
  // The server begins with the record at the start itself.
  const found = await readAll(connection, logRequest(start, 'forwards', { count: limit + 1 }));
  const records = found.filter((record) => positionOf(record) > from).slice(0, limit);
  const events = ours(records, prefix);
  const last = records.at(-1);
  const looked = last === undefined ? from : positionOf(last);
  // Behind the log's last event there are only records of others, which make no positions of this log.
  const reached = later(events.at(-1)?.position ?? from, looked < head ? looked : head);
  return { events, reached, isEnd: reached >= head };
}

/** From the log's last event, however many records of others came after it. */
async function windowBefore(
  { connection, prefix }: WindowParts,
  { from, limit }: WindowOptions,
  head: Position,
): Promise<LogWindow> {
  if ((from ?? head) === START) return { events: [], reached: START, isEnd: true };
  const newest =
    from === undefined ? await readAll(connection, logRequest(head, 'forwards', { count: 1 })) : [];
  if (from !== undefined) await startAfter(connection, from, new AbortController().signal);
  const wanted = limit - newest.length;
  const request = logRequest(from ?? head, 'backwards', { count: wanted });
  const before = wanted === 0 ? [] : await readAll(connection, request);
  const records = [...newest, ...before];
  const last = records.at(-1);
  return {
    events: ours(records, prefix),
    reached: last === undefined ? START : positionOf(last),
    isEnd: before.length < wanted,
  };
}

async function readAll(connection: Connection, request: ReturnType<typeof logRequest>) {
  const records: StoredRecord[] = [];
  for await (const record of recordsOf(connection, request)) records.push(record);
  return records;
}

function ours(records: readonly StoredRecord[], prefix: string): readonly RecordedEvent[] {
  return records.flatMap((record) => eventOf(record, prefix) ?? []);
}

function later(one: Position, other: Position): Position {
  return one > other ? one : other;
}
