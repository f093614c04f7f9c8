/** Inserts many rows with few statements: a call of the driver costs more than a small row. */
import type { SqliteDatabase, SqlValue } from './database.ts';

/** From this number of rows on, statements for many rows pay. */
export const MANY = 8;

/** Few variants, since each is prepared once and kept. */
const SIZES = [64, 8, 1] as const;

/** `insert` is an INSERT without its VALUES, for rows of `columns` values. Rows are inserted in the order given. */
export function manyRows(
  database: SqliteDatabase,
  insert: string,
  columns: number,
): (rows: readonly (readonly SqlValue[])[]) => void {
  const row = `(${Array(columns).fill('?').join(', ')})`;
  const statements = SIZES.map((size) => ({
    size,
    run: database.statement(`${insert} VALUES ${Array(size).fill(row).join(', ')}`).run,
  }));
  return (rows) => {
    let next = 0;
    for (const { size, run } of statements) {
      for (; rows.length - next >= size; next += size) {
        const values: SqlValue[] = [];
        for (let index = next; index < next + size; index += 1) values.push(...(rows[index] ?? []));
        run(...values);
      }
    }
  };
}
