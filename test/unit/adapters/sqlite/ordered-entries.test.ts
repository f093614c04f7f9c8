// A page of an order costs the same wherever it is: by what SQLite says of its plan.
import { expect, onTestFinished, test } from 'vitest';
import { tablesOf } from '../../../../src/adapters/sqlite/collection-tables.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../../../src/adapters/sqlite/database.ts';
import { findOrdered } from '../../../../src/adapters/sqlite/ordered-entries.ts';
import { createSqliteReadModel } from '../../../../src/adapters/sqlite/read-model.ts';
import { shapeOf } from '../../../../src/kernel/ports/collection-shape.ts';
import type { Collection } from '../../../../src/kernel/ports/read-model.ts';

const entries: Collection = {
  name: 'entries',
  version: 1,
  orders: { weight: ({ weight }) => ({ values: [''], place: String(weight) }) },
};

test.each([
  false,
  true,
])('a page is searched for, and nothing is sorted (descending: %s)', async (descending) => {
  const database = openSqliteDatabase(':memory:');
  onTestFinished(() => database.close());
  const readModel = createSqliteReadModel(database);
  await readModel.prepare([entries]);
  const asked: string[] = [];
  const watched: Pick<SqliteDatabase, 'statement'> = {
    statement(text) {
      asked.push(text);
      return database.statement(text);
    },
  };
  const tables = tablesOf('entries', { version: 1, generation: 1 }, shapeOf(entries));
  const after = { place: '5', key: 'a' };
  for (const options of [{ limit: 9 }, { limit: 9, after }, { limit: 9, after: { place: '5' } }])
    findOrdered(watched as SqliteDatabase, tables, 'weight', '', { ...options, descending });
  expect(asked.length).toBeGreaterThan(2);
  for (const text of asked) {
    const plan = database.statement<[number, number, number, string]>(`EXPLAIN QUERY PLAN ${text}`);
    const steps = plan.rows(...Array(text.split('?').length - 1).fill(0)).map(([, , , step]) => step);
    expect(steps.join('; ')).toMatch(/^SEARCH/);
    expect(steps.join('; ')).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});
