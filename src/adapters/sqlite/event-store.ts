/** Event store in a SQLite file: one table, written in group commits and read in pages. */
import { checkAppend } from '../../kernel/ports/append-rules.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import { createAppendEvents } from './append-events.ts';
import type { SqliteDatabase } from './database.ts';
import { POSITION, positionNumber, positionOffset, positionText } from './event-rows.ts';
import { createMaxCounts } from './max-counts.ts';
import { createStoredReads } from './stored-reads.ts';
import { createLogEnd, subscribeToEvents } from './subscription.ts';

const DEFINITION = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    category TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT`;

/** Creates missing tables. Closing the store leaves the database open. */
export function createSqliteEventStore(database: SqliteDatabase): EventStore {
  database.execute(DEFINITION);
  const keptCounts = createMaxCounts(database);
  const append = createAppendEvents(database, keptCounts.cut);

  const lastOfAll = database.statement<[number | null]>('SELECT max(position) FROM events');
  const idAtPosition = database.statement<[string]>('SELECT id FROM events WHERE position = ?');

  const beginsAfter = database.read(() => positionOffset(database));
  const logEnd = createLogEnd(
    database.read(() => lastOfAll.row()?.[0] ?? 0),
    beginsAfter,
  );
  let closed = false;

  function requireOpen(): void {
    if (closed) throw new StoreUnavailable('the event store is closed');
  }

  return {
    async append(stream, expected, events) {
      requireOpen();
      const checked = checkAppend(stream, expected, events);
      const result = await database.write(() => append(stream, expected, checked));
      if (result.outcome === 'appended') logEnd.moveTo(positionNumber(result.position));
      return result;
    },
    ...createStoredReads({ database, logEnd, requireOpen }),
    subscribe: (wanted) => subscribeToEvents(database, logEnd, wanted),
    async head() {
      requireOpen();
      return positionText(logEnd.position);
    },
    async idAt(position) {
      requireOpen();
      return POSITION.test(position)
        ? database.read(() => idAtPosition.row(positionNumber(position))?.[0])
        : undefined;
    },
    async mayHave(position) {
      requireOpen();
      // This process is the only writer, so every issued position is at or before `logEnd`.
      return POSITION.test(position) && BigInt(position) <= logEnd.position;
    },
    extentOf: (position) => ({
      unit: 'events',
      amount: Math.max(0, positionNumber(position) - beginsAfter),
    }),
    async setMaxCount(stream, count) {
      requireOpen();
      await keptCounts.keepLast(stream, count);
    },
    holdCuts: keptCounts.hold,
    async close() {
      if (closed) return;
      closed = true;
      // Writes finish in the order of their acceptance, so this one finishes last.
      await database.write(() => {}).catch(() => {});
      logEnd.end();
    },
  };
}
