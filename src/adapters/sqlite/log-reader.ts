/** Read-only reader of the log in a SQLite file that no service has open. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OperatorError } from '../../kernel/ports/errors.ts';
import { START } from '../../kernel/ports/event-store.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import { hasTable, type SqliteDatabase } from './database.ts';
import { type EventRow, positionNumber, positionOffset, positionText, recordedEvent } from './event-rows.ts';
import { createStoredReads } from './stored-reads.ts';
import { createLogEnd, windowQuery } from './subscription.ts';

/** Positions examined per event-loop turn, matching or not. */
const WINDOW = 256;

/** Throws `OperatorError` if the file contains no log. Closing the reader closes the database. */
export function createSqliteLogReader(database: SqliteDatabase, path: string): LogReader {
  if (!hasTable(database, 'events')) {
    throw new OperatorError(
      `"${path}" contains no event log; use the file named in the service's EVENT_STORE_URL`,
    );
  }
  const last = database.statement<[number | null]>('SELECT max(position) FROM events');
  // The open reader excludes writers, so both values are constant.
  const beginsAfter = database.read(() => positionOffset(database));
  const end = database.read(() => last.row()?.[0] ?? 0);

  return {
    async *events({ after = START, categories } = {}) {
      const window = database.statement<EventRow>(windowQuery(categories?.length));
      for (let cursor = Math.max(positionNumber(after), beginsAfter); cursor < end; cursor += WINDOW) {
        const to = Math.min(cursor + WINDOW, end);
        const rows = database.read(() => window.rows(cursor, to, ...(categories ?? [])));
        for (const row of rows) yield recordedEvent(row);
        await nextTurn();
      }
    },
    stream: createStoredReads({
      database,
      logEnd: createLogEnd(end, beginsAfter),
      requireOpen: () => undefined,
    }).read,
    head: async () => positionText(end),
    extentOf: (position) => ({
      unit: 'events',
      amount: Math.max(0, positionNumber(position) - beginsAfter),
    }),
    isImmutable: true,
    close: () => database.close(),
  };
}
