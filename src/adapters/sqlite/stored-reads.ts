/** Reads the table of events: streams page by page in either direction, the log in windows. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EventStore, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import type { SqliteDatabase } from './database.ts';
import { EVENT_COLUMNS, type EventRow, positionNumber, positionText, recordedEvent } from './event-rows.ts';
import type { LogEnd } from './subscription.ts';

/** Events per page of a stream. */
const READ_PAGE = 200;

export function createStoredReads(options: {
  readonly database: SqliteDatabase;
  readonly logEnd: LogEnd;
  /** Throws once the store is closed. */
  readonly requireOpen: () => void;
}): Pick<EventStore, 'read' | 'readBackwards' | 'readWindow'> {
  const { database, logEnd, requireOpen } = options;
  const rowsWhere = (condition: string) =>
    database.statement<EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE ${condition} LIMIT ?`);
  const streamFrom = rowsWhere('stream = ? AND revision >= ? ORDER BY revision');
  const streamBefore = rowsWhere('stream = ? AND revision < ? ORDER BY revision DESC');
  const logAfter = rowsWhere('position > ? ORDER BY position');
  const logBefore = rowsWhere('position < ? ORDER BY position DESC');

  /** `next` returns where the page after an event begins. */
  async function* pages(
    page: (place: number) => readonly EventRow[],
    begin: number,
    next: (event: RecordedEvent) => number,
  ): AsyncGenerator<RecordedEvent, void> {
    for (let place = begin; ; ) {
      requireOpen();
      const rows = database.read(() => page(place));
      for (const row of rows) {
        const event = recordedEvent(row);
        yield event;
        place = next(event);
      }
      if (rows.length < READ_PAGE) return;
      await nextTurn();
    }
  }

  return {
    read: (stream, from = 0) =>
      pages(
        (revision) => streamFrom.rows(stream, revision, READ_PAGE),
        from,
        ({ revision }) => revision + 1,
      ),
    readBackwards: (stream, before = Number.MAX_SAFE_INTEGER) =>
      pages(
        (revision) => streamBefore.rows(stream, revision, READ_PAGE),
        before,
        ({ revision }) => revision,
      ),
    async readWindow({ direction, from, limit }) {
      await nextTurn();
      requireOpen();
      const isForwards = direction === 'forwards';
      const place = from === undefined ? (isForwards ? 0 : logEnd.position + 1) : positionNumber(from);
      if (from !== undefined && place > logEnd.position)
        throw new TypeError(`"${from}" is beyond the end of this event store`);
      const rows = database.read(() => (isForwards ? logAfter : logBefore).rows(place, limit));
      const events = rows.map(recordedEvent);
      const reached = events.at(-1)?.position ?? from ?? (isForwards ? START : positionText(logEnd.position));
      return { events, reached, isEnd: rows.length < limit };
    },
  };
}
