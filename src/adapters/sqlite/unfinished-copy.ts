/** Marks a log whose copying is not finished, so that no service goes on with the part of it that is there. */
import { OperatorError } from '../../kernel/ports/errors.ts';
import type { SqliteDatabase } from './database.ts';

const TABLE = 'unfinished_copy';

/** Inside a write. */
export function markUnfinished(database: SqliteDatabase, isUnfinished: boolean): void {
  database.execute(
    isUnfinished
      ? `CREATE TABLE IF NOT EXISTS ${TABLE} (one INTEGER) STRICT`
      : `DROP TABLE IF EXISTS ${TABLE}`,
  );
}

/** Throws `OperatorError`. */
export function requireFinished(database: SqliteDatabase): void {
  const tables = database.statement<[number]>(
    `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`,
  );
  if (tables.row(TABLE) === undefined) return;
  throw new OperatorError(
    'the event log is a copy that is not finished: run the same "levy copy" again until it says that the copy is whole',
  );
}
