/**
 * Shares one connection among all readers of a stopped service's file: closing a second handle of the file would release the
 * locks of the first.
 */
import { resolve } from 'node:path';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import { openSqliteDatabase, type SqliteDatabase, type SqliteDatabaseOptions } from './database.ts';

interface Shared {
  readonly database: SqliteDatabase;
  readers: number;
}

const opened = new Map<string, Shared>();

/** @throws StoreInUse when a service has the file open. */
export function openReadOnlyDatabase(
  path: string,
  { logger }: Pick<SqliteDatabaseOptions, 'logger'> = {},
): SqliteDatabase {
  const key = resolve(path);
  const shared = opened.get(key) ?? {
    database: openSqliteDatabase(path, { isReadOnly: true, logger }),
    readers: 0,
  };
  shared.readers += 1;
  opened.set(key, shared);
  let isOpen = true;
  return {
    ...shared.database,
    // A write would end the read transaction that prevents services from opening the file.
    write: async () => {
      throw new StoreUnavailable('the database is open for reading only');
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      shared.readers -= 1;
      if (shared.readers > 0) return;
      opened.delete(key);
      await shared.database.close();
    },
  };
}
