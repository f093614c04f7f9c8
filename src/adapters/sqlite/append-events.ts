/** Appends events to a stream within a transaction. */
import { type CheckedEvent, categoryOf } from '../../kernel/ports/append-rules.ts';
import { type AppendResult, type ExpectedRevision, START } from '../../kernel/ports/event-store.ts';
import type { SqliteDatabase } from './database.ts';
import { positionText } from './event-rows.ts';

/** True for a repeated append: its ids directly follow the expected revision. */
function isSameAppend(
  found: readonly (readonly [id: string, position: number])[],
  ids: readonly string[],
): boolean {
  return found.length === ids.length && found.every(([id], index) => id === ids[index]);
}

export function createAppendEvents(database: SqliteDatabase, cut: (stream: string) => void) {
  const lastOfStream = database.statement<[number | null]>(
    'SELECT max(revision) FROM events WHERE stream = ?',
  );
  // The insertion itself checks the stream's last revision, because a separate statement is expensive.
  const insertNext = database.statement(
    `INSERT INTO events (stream, category, revision, id, type, data, metadata)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
     WHERE ?3 = 1 + coalesce((SELECT max(revision) FROM events WHERE stream = ?1), -1)`,
  );
  const idsFrom = database.statement<[string, number]>(
    'SELECT id, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
  );

  function resultOfSameAppend(
    stream: string,
    expectedLast: number,
    events: readonly CheckedEvent[],
  ): AppendResult | undefined {
    const found = idsFrom.rows(stream, expectedLast + 1, events.length);
    const last = found.at(-1);
    const ids = events.map(({ event }) => event.id);
    if (last === undefined || !isSameAppend(found, ids)) return undefined;
    return {
      outcome: 'appended',
      revision: expectedLast + events.length,
      position: positionText(last[1]),
    };
  }

  /** Must be called within a transaction. */
  return (stream: string, expected: ExpectedRevision, events: readonly CheckedEvent[]): AppendResult => {
    const expectedLast = expected === 'none' ? -1 : expected;
    const category = categoryOf(stream);
    let position = START;
    let revision = expectedLast;
    for (const { event, data, metadata } of events) {
      const { id, type } = event;
      revision += 1;
      const inserted = insertNext.run(stream, category, revision, id, type, data, metadata);
      // Only the first insertion can fail: each later row follows a row of this transaction.
      if (inserted.changes === 0) {
        const same = resultOfSameAppend(stream, expectedLast, events);
        return same ?? { outcome: 'conflict', actual: lastOfStream.row(stream)?.[0] ?? 'none' };
      }
      position = positionText(Number(inserted.lastInsertRowid));
    }
    cut(stream);
    return { outcome: 'appended', revision, position };
  };
}
