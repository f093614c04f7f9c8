/** The event log in a SQLite file: one table, written in group commits, read in pages by streams and subscribers. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CheckedEvent, categoryOf, checkAppend, checkKeepLast } from '../../ports/append-rules.ts';
import {
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type RecordedEvent,
  START,
} from '../../ports/event-store.ts';
import type { InlineProjections } from '../../ports/shared-transaction.ts';
import { StoreUnavailable } from '../../ports/store-unavailable.ts';
import type { SqliteDatabase } from './database.ts';
import {
  EVENT_COLUMNS,
  type EventRow,
  POSITION,
  positionNumber,
  positionText,
  recordedEvent,
} from './event-rows.ts';
import { positionsBeginAfter } from './numbering.ts';
import { createLogEnd, subscribeToEvents } from './subscription.ts';
import { requireFinished } from './unfinished-copy.ts';

export interface SqliteEventStoreOptions {
  readonly inline?: InlineProjections;
  /** The log is being copied into the database. */
  readonly isCopy?: boolean;
}

/** Events of a stream read at a time. */
const READ_PAGE = 200;

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

const KEPT_COUNTS =
  'CREATE TABLE IF NOT EXISTS kept_counts (stream TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT';

/** Creates missing tables. Closing the store leaves the database open. */
export function createSqliteEventStore(
  database: SqliteDatabase,
  options: SqliteEventStoreOptions = {},
): EventStore {
  const { inline } = options;
  if (options.isCopy !== true) requireFinished(database);
  database.execute(DEFINITION);
  database.execute(KEPT_COUNTS);

  const lastOfStream = database.statement<[number | null]>(
    'SELECT max(revision) FROM events WHERE stream = ?',
  );
  const lastOfAll = database.statement<[number | null]>('SELECT max(position) FROM events');
  const idAtPosition = database.statement<[string]>('SELECT id FROM events WHERE position = ?');
  // The check of the stream's last revision is part of the insertion, because a separate statement is expensive.
  const insertNext = database.statement(
    `INSERT INTO events (stream, category, revision, id, type, data, metadata)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
     WHERE ?3 = 1 + coalesce((SELECT max(revision) FROM events WHERE stream = ?1), -1)`,
  );
  const idsFrom = database.statement<[string, number]>(
    'SELECT id, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
  );
  const streamPage = database.statement<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
  );

  const setKeptCount = database.statement(
    'INSERT INTO kept_counts VALUES (?, ?) ON CONFLICT (stream) DO UPDATE SET count = excluded.count',
  );
  const dropOlder = database.statement(
    'DELETE FROM events WHERE stream = ?1 AND revision <= (SELECT max(revision) FROM events WHERE stream = ?1) - ?2',
  );
  const keptCounts = new Map(
    database.read(() => database.statement<[string, number]>('SELECT stream, count FROM kept_counts').rows()),
  );

  const beginsAfter = database.read(() => positionsBeginAfter(database));
  const logEnd = createLogEnd(
    database.read(() => lastOfAll.row()?.[0] ?? 0),
    beginsAfter,
  );
  let closed = false;
  let heldCuts = 0;

  function requireOpen(): void {
    if (closed) throw new StoreUnavailable('the event store is closed');
  }

  function appendNow(
    stream: string,
    expected: ExpectedRevision,
    events: readonly CheckedEvent[],
  ): AppendResult {
    const expectedLast = expected === 'none' ? -1 : expected;
    const category = categoryOf(stream);
    const recorded: RecordedEvent[] = [];
    let position = START;
    for (const { event, data, metadata } of events) {
      const { id, type } = event;
      const revision = expectedLast + 1 + recorded.length;
      const inserted = insertNext.run(stream, category, revision, id, type, data, metadata);
      // Only the first can fail: the others follow rows that this transaction has just written.
      if (inserted.changes === 0) return resultOfSameAppend(stream, expectedLast, events) ?? conflict(stream);
      position = positionText(Number(inserted.lastInsertRowid));
      recorded.push({ id, type, data: event.data, metadata: event.metadata, stream, revision, position });
    }
    const kept = keptCounts.get(stream);
    if (kept !== undefined && heldCuts === 0) dropOlder.run(stream, kept);
    if (inline) project(inline, recorded);
    return { outcome: 'appended', revision: expectedLast + events.length, position };
  }

  function conflict(stream: string): AppendResult {
    return { outcome: 'conflict', actual: lastOfStream.row(stream)?.[0] ?? 'none' };
  }

  /** The append is a repetition if its ids stand directly after the revision that it expects. */
  function resultOfSameAppend(
    stream: string,
    expectedLast: number,
    events: readonly CheckedEvent[],
  ): AppendResult | undefined {
    const found = idsFrom.rows(stream, expectedLast + 1, events.length);
    const last = found.at(-1);
    if (last === undefined || found.length < events.length) return undefined;
    if (found.some(([id], index) => id !== events[index]?.event.id)) return undefined;
    return {
      outcome: 'appended',
      revision: expectedLast + events.length,
      position: positionText(last[1]),
    };
  }

  function project(projections: InlineProjections, events: readonly RecordedEvent[]): void {
    try {
      database.savepoint(() => projections.apply(events));
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      projections.failed?.(error, events);
    }
  }

  async function* readStream(stream: string, from: number): AsyncGenerator<RecordedEvent, void> {
    let next = from;
    for (;;) {
      requireOpen();
      const page = database.read(() => streamPage.rows(stream, next, READ_PAGE));
      for (const row of page) yield recordedEvent(row);
      if (page.length < READ_PAGE) return;
      next += READ_PAGE;
      await nextTurn();
    }
  }

  return {
    async append(stream, expected, events) {
      requireOpen();
      const checked = checkAppend(stream, expected, events);
      const result = await database.write(() => appendNow(stream, expected, checked));
      if (result.outcome === 'appended') logEnd.moveTo(positionNumber(result.position));
      return result;
    },
    read: (stream, from = 0) => readStream(stream, from),
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
      // Nobody else appends, so that a position is only ever issued after the end has reached it.
      return POSITION.test(position) && BigInt(position) <= logEnd.position;
    },
    extentOf: (position) => ({
      unit: 'events',
      amount: Math.max(0, positionNumber(position) - beginsAfter),
    }),
    async keepLast(stream, count) {
      requireOpen();
      checkKeepLast(stream, count);
      await database.write(() => {
        setKeptCount.run(stream, count);
        if (heldCuts === 0) dropOlder.run(stream, count);
      });
      keptCounts.set(stream, count);
    },
    holdCuts() {
      heldCuts += 1;
      let isHeld = true;
      return () => {
        if (isHeld) heldCuts -= 1;
        isHeld = false;
      };
    },
    async close() {
      if (closed) return;
      closed = true;
      // Writes finish in the order of their acceptance, so when this one is done, all are.
      await database.write(() => {}).catch(() => {});
      logEnd.end();
    },
  };
}
