/** A disk in memory, for one test: a database that is closed on it can be opened again, as after a restart. */
import { onTestFinished } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';

/** Opens what is stored under the name, which is made when it is absent. */
export type Disk = (name: string) => SqliteDatabase;

export function memoryDisk(): Disk {
  const stored = new Map<string, SqliteDatabase>();
  onTestFinished(async () => {
    for (const database of stored.values()) await database.close();
  });
  return (name) => {
    const known = stored.get(name) ?? openSqliteDatabase(':memory:');
    stored.set(name, known);
    return heldUntilClosed(known);
  };
}

/** Handles of a process that has closed its database have no effect on a process that has opened it since. */
function heldUntilClosed(database: SqliteDatabase): SqliteDatabase {
  let open = true;
  const held = () => {
    if (!open) throw new StoreUnavailable('the database is closed');
    return database;
  };
  return {
    write: async (work) => held().write(work),
    read: (work) => held().read(work),
    statement: (sql) => held().statement(sql),
    execute: (sql) => held().execute(sql),
    trouble: () => database.trouble(),
    async close() {
      if (!open) return;
      open = false;
      // Pending writes are committed, as when a file is closed.
      await database.write(() => undefined);
    },
  };
}
