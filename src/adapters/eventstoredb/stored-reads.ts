/** Reads of the log that are repeated until the server answers, or none is left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventStore, type Position, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import { type Connection, codeOf } from './connection.ts';
import type { LogTail } from './log-tail.ts';
import { createReadWindow } from './log-window.ts';
import { eventOf, idOf, isPosition, streamBackwardsRequest, streamRequest } from './messages.ts';
import { pauseBeforeRetry, recordAt, recordsOf } from './reading.ts';
import { lastRevision } from './shown.ts';

export interface StoredReads
  extends Pick<EventStore, 'read' | 'readBackwards' | 'readWindow' | 'idAt' | 'mayHave'> {
  headInTheEnd(): Promise<Position>;
}

/** Milliseconds between two looks for an event at the end. */
const SHOWN_PAUSES = [20, 80, 300];
/** Code of gRPC. */
const UNKNOWN = 2;

interface ReadParts {
  readonly connection: Connection;
  /** The prefix of this log's stream names. */
  readonly prefix: string;
  readonly tail: Pick<LogTail, 'head' | 'position'>;
}

export function createStoredReads(options: ReadParts): StoredReads {
  const { connection, prefix, tail } = options;

  async function headInTheEnd(): Promise<Position> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await tail.head();
      } catch (error) {
        await pauseBeforeRetry(tries, error);
      }
    }
  }

  return {
    headInTheEnd,
    read: (stream, from = 0) => readStream(options, stream, from, 1),
    readBackwards: (stream, before = Number.MAX_SAFE_INTEGER) => readStream(options, stream, before - 1, -1),
    readWindow: createReadWindow({ connection, prefix, headInTheEnd }),
    async idAt(position) {
      try {
        const record = await recordAt(connection, position);
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
  };
}

/** The events at `begin` and beyond, in steps of revisions. */
async function* readStream(
  { connection, prefix }: ReadParts,
  name: string,
  begin: number,
  step: 1 | -1,
): AsyncGenerator<RecordedEvent, void> {
  const stream = prefix + name;
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
