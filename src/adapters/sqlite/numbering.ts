/**
 * Where the positions of a log begin: at 1, or higher in a log that was copied from another store, so that no position of
 * the other store is one of this log too, and later events still compare greater.
 */
import type { SqliteDatabase } from './database.ts';

/** The position before the first. */
export function positionsBeginAfter(database: SqliteDatabase): number {
  const tables = database.statement<[number]>(
    `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'numbering'`,
  );
  if (tables.row() === undefined) return 0;
  return database.statement<[number]>('SELECT begins_after FROM numbering').row()?.[0] ?? 0;
}

/** Once, before the first event. */
export function beginPositionsAfter(database: SqliteDatabase, position: number): void {
  database.execute('CREATE TABLE numbering (begins_after INTEGER NOT NULL) STRICT');
  database.statement('INSERT INTO numbering VALUES (?)').run(position);
}
