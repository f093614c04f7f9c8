// How documents are found in SQLite: by indexes, nothing sorted, and in steps where much has to be skipped.
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteDatabase } from '../../../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../../../src/adapters/sqlite/read-model.ts';
import type { Collection } from '../../../../src/kernel/ports/read-model.ts';

const things: Collection = {
  name: 'things',
  version: 1,
  indexes: { color: () => ['red'], weight: ({ weight }) => ({ values: [''], place: String(weight) }) },
  lists: { all: () => '' },
  views: { whole: (document) => document },
};

async function opened() {
  const database = openSqliteDatabase(':memory:');
  onTestFinished(() => database.close());
  const statements: string[] = [];
  const readModel = createSqliteReadModel({
    ...database,
    statement(text) {
      statements.push(text);
      return database.statement(text);
    },
  });
  await readModel.prepare([things]);
  await readModel.goLive(things);
  return { database, readModel, statements };
}

test('a page of an index, with places or without, or of a list is searched for, and nothing is sorted', async () => {
  const { database, readModel, statements } = await opened();
  await readModel.commit([
    { collection: things, changes: [{ key: 'a', position: '1', document: { weight: '5' } }] },
  ]);
  statements.length = 0;
  for (const after of [undefined, { place: '5', key: 'a' }, { place: '5' }])
    for (const descending of [false, true])
      await readModel.find(things, 'weight', '', { limit: 9, descending, ...(after && { after }) });
  for (const after of [undefined, 'a'])
    for (const descending of [false, true])
      await readModel.find(things, 'color', 'red', { limit: 9, descending, after });
  for (const after of [undefined, 'a'])
    await readModel.page(things, 'all', '', { view: 'whole', offset: 0, limit: 9, after });
  expect(new Set(statements).size).toBeGreaterThanOrEqual(5);
  for (const text of statements) {
    const plan = database.statement<[number, number, number, string]>(`EXPLAIN QUERY PLAN ${text}`);
    const steps = plan.rows(...Array(text.split('?').length - 1).fill(0)).map(([, , , step]) => step);
    // The rows of one page are sorted where they are joined to one text.
    const searched = steps.filter(
      (step) => !/^(SCAN r|USE TEMP B-TREE FOR group_concat.*|CO-ROUTINE r)$/.test(step),
    );
    expect(searched.join('; ')).toMatch(/^SEARCH/);
    expect(searched.join('; ')).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});

describe('a page far into a list', () => {
  const RANKS = 100_000;

  /** `isListed`: an SQL condition on the rank `n`. */
  async function listOf(isListed: string) {
    const { database, readModel } = await opened();
    database.execute(`
      WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${RANKS - 1})
      INSERT INTO "things_v1.documents" (ordinal, key, position, "view.whole", document)
        SELECT n, 'k' || n, '1', n, '{}' FROM numbers;
      INSERT INTO "things_v1.partitions" (id, list, name) VALUES (1, 'all', '');
      INSERT INTO "things_v1.ranks" SELECT 1, ${isListed}, n, n FROM (SELECT ordinal AS n FROM "things_v1.documents");
      UPDATE "things_v1.partitions" SET total = (SELECT count(*) FROM "things_v1.ranks" WHERE listed = 1)`);
    const listed = database
      .statement<[number]>('SELECT rank FROM "things_v1.ranks" WHERE listed = 1 ORDER BY rank DESC')
      .rows()
      .flat();
    return { readModel, listed };
  }

  test.each([
    ['stretches have left', 'n / 7000 % 2 = 0'],
    ['nearly all have left', 'n % 37 = 0'],
  ])('is the right one where %s', async (_what, isListed) => {
    const { readModel, listed } = await listOf(isListed);
    const page = (offset: number, after?: string) =>
      readModel.page(things, 'all', '', { view: 'whole', offset, limit: 3, after });
    const total = listed.length;
    for (const offset of [0, 4_999, 5_000, 5_001, total >> 1, total - 2].filter((each) => each < total)) {
      const items = listed.slice(offset, offset + 3).map(String);
      expect(await page(offset)).toEqual({ items, total });
      const start = Math.min(1_234, total - 1);
      const behind = listed.slice(start + 1 + offset, start + 4 + offset).map(String);
      expect(await page(offset, `k${listed[start]}`)).toEqual({ items: behind, total });
    }
  });

  test('is skipped to in steps between which other work has its turn', async () => {
    const { readModel, listed } = await listOf('n % 2 = 0');
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await readModel.page(things, 'all', '', { view: 'whole', offset: listed.length - 1, limit: 1 });
    isDone = true;
    // No step skips more than 5,000 of the 50,000 listed documents.
    expect(turns).toBeGreaterThanOrEqual(5);
    const before = turns;
    await readModel.page(things, 'all', '', { view: 'whole', offset: 1_000, limit: 1 });
    expect(turns).toBe(before);
  });

  test('is read from the build that is live at its end, where another took its place meanwhile', async () => {
    const { readModel, listed } = await listOf('n % 2 = 0');
    const next = await readModel.renew(things, 'live');
    const changes = [{ key: 'a', position: '1', document: { name: 'new' } }];
    await readModel.commit([{ collection: things, generation: next, changes }]);
    const options = { view: 'whole', offset: listed.length - 1, limit: 1 };
    const [page] = await Promise.all([readModel.page(things, 'all', '', options), readModel.goLive(things)]);
    expect(page).toEqual({ items: [], total: 1 });
  });
});

test('a cached page and document are dropped by a write, also while the page is being found', async () => {
  const { readModel } = await opened();
  const write = (key: string, position: number) =>
    readModel.commit([
      {
        collection: things,
        changes: [{ key, position: String(position).padStart(9, '0'), document: { key } }],
      },
    ]);
  const first = () => readModel.page(things, 'all', '', { view: 'whole', offset: 0, limit: 1 });
  await write('a', 1);
  const [page, document] = [await first(), await readModel.get(things, 'a')];
  expect([(await first()) === page, (await readModel.get(things, 'a')) === document]).toEqual([true, true]);
  await write('b', 2);
  expect((await first()).items).toEqual(['{"key":"b"}']);
  expect(await readModel.get(things, 'b')).toEqual({ key: 'b' });
});
