/**
 * Writes the log of a backup into a new file. Positions of SQLite are retained, so that followers of the log can continue;
 * those of another store are replaced by higher ones.
 */
import { categoryOf } from '../../kernel/ports/append-rules.ts';
import { OperatorError } from '../../kernel/ports/errors.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { openSqliteDatabase } from './database.ts';
import { positionNumber, setPositionOffset } from './event-rows.ts';
import { createSqliteEventStore } from './event-store.ts';

export type LogFile = ReturnType<typeof createLogFile>;

/** The file must not exist. Unless `areKept`, events get the positions after `beginsAfter`. */
export function createLogFile(
  path: string,
  { areKept, beginsAfter }: { readonly areKept: boolean; readonly beginsAfter: number },
) {
  const database = openSqliteDatabase(path);
  const store = createSqliteEventStore(database);
  const insert = database.statement(
    'INSERT INTO events (position, stream, category, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  let next = beginsAfter + 1;
  let isNumbered = beginsAfter === 0;

  return {
    /** Must be called in the order of the log. */
    async add(events: readonly RecordedEvent[]): Promise<void> {
      await database.write(() => {
        if (!isNumbered) setPositionOffset(database, beginsAfter);
        isNumbered = true;
        for (const event of events) {
          const position = areKept ? positionNumber(event.position) : next;
          const { data, metadata } = storedText(event);
          const category = categoryOf(event.stream);
          insert.run(position, event.stream, category, event.revision, event.id, event.type, data, metadata);
          next = position + 1;
        }
      });
    },
    /** Must be called after the last event. Limits each stream whose oldest events the source dropped to its present length. */
    async finish(): Promise<void> {
      await database.write(() =>
        database.execute(
          'INSERT OR IGNORE INTO kept_counts SELECT stream, count(*) FROM events GROUP BY stream HAVING min(revision) > 0',
        ),
      );
    },
    async close(): Promise<void> {
      await store.close();
      await database.close();
    },
  };
}

/** Copies the bytes of an event that is not JSON. */
function storedText({ id, data, metadata, unreadable, raw }: RecordedEvent) {
  if (unreadable === undefined) return { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
  if (raw === undefined)
    throw new OperatorError(
      `event ${id} cannot be decoded (${unreadable}), and the source does not supply its bytes`,
    );
  const textOf = (base64: string) => Buffer.from(base64, 'base64').toString();
  return { data: textOf(raw.data), metadata: textOf(raw.metadata) };
}
