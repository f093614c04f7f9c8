/** Maximum number of events per bounded stream, stored in the database and enforced on each append. */
import type { SqliteDatabase } from './database.ts';

const DEFINITION =
  'CREATE TABLE IF NOT EXISTS kept_counts (stream TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT';

/** Creates the table if it is missing. */
export function createMaxCounts(database: SqliteDatabase) {
  database.execute(DEFINITION);
  const save = database.statement(
    'INSERT INTO kept_counts VALUES (?, ?) ON CONFLICT (stream) DO UPDATE SET count = excluded.count',
  );
  const dropOlder = database.statement(
    'DELETE FROM events WHERE stream = ?1 AND revision <= (SELECT max(revision) FROM events WHERE stream = ?1) - ?2',
  );
  const counts = new Map(
    database.read(() => database.statement<[string, number]>('SELECT stream, count FROM kept_counts').rows()),
  );
  let held = 0;

  return {
    /** Deletes the events beyond the stream's maximum; must be called within a transaction. */
    cut(stream: string): void {
      const count = counts.get(stream);
      if (count !== undefined && held === 0) dropOlder.run(stream, count);
    },
    async keepLast(stream: string, count: number): Promise<void> {
      await database.write(() => {
        save.run(stream, count);
        if (held === 0) dropOlder.run(stream, count);
      });
      counts.set(stream, count);
    },
    /** Suspends deletion until the returned function is called. */
    hold(): () => void {
      held += 1;
      let isHeld = true;
      return () => {
        if (isHeld) held -= 1;
        isHeld = false;
      };
    },
  };
}
