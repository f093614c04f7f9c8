// Deep pages and counts read a list in bounded steps over its index, so that none runs into the server's time limit.
import type { Db } from 'mongodb';
import { beforeAll, expect, test } from 'vitest';
import { storedBuild } from '../../../../src/adapters/mongodb/layout.ts';
import { countListed, createListQueries, totalId } from '../../../../src/adapters/mongodb/lists.ts';
import type { Collection } from '../../../../src/kernel/ports/read-model.ts';
import { createMemoryServer } from '../../../support/mongo-in-memory.ts';

const LISTED = 45_000;
const MAX_IN_ONE_ANSWER = 20_000;

interface Options {
  readonly skip?: number;
  readonly limit?: number;
  readonly projection?: object;
}

const asked: Options[] = [];
let build: ReturnType<typeof storedBuild>;
const TOKENS: Collection = { name: 'tokens', version: 1 };
const queries = createListQueries(async () => ({ ...build, hasTerms: true }));

/** Notes the options of each query about rows. */
function watched(database: Db): Db {
  const collection = (name: string) => {
    const stored = database.collection(name);
    const noting =
      <Result>(query: (filter: never, options: never) => Result) =>
      (filter: never, options: never): Result => {
        if (!name.endsWith('.totals')) asked.push(options);
        return query(filter, options);
      };
    const { find, findOne, countDocuments } = stored;
    return {
      ...stored,
      find: noting(find),
      findOne: noting(findOne),
      countDocuments: noting(countDocuments),
    };
  };
  return { collection } as unknown as Db;
}

beforeAll(async () => {
  const server = createMemoryServer().connect();
  build = storedBuild(watched(server), 'tokens', { version: 1, id: 1 });
  const place = (index: number) => String(index).padStart(6, '0');
  await build.rows.bulkWrite(
    Array.from({ length: LISTED }, (_, index) => ({
      insertOne: {
        document: {
          _id: `k${index}`,
          p: place(index),
          n: place(index),
          d: null,
          v: { key: `"k${index}"` },
          l: { all: { p: '', r: place(index) } },
        },
      },
    })),
  );
  await build.totals.bulkWrite([{ insertOne: { document: { _id: totalId('all', ''), n: LISTED, s: 1 } } }]);
});

const page = async (offset: number) => {
  asked.length = 0;
  return queries.page(TOKENS, 'all', '', { view: 'key', offset, limit: 2 });
};

test.each([
  0, 1, 999, 1_000, 1_001, 19_999, 20_000, 20_001, 40_500, 44_998,
])('the page at offset %i is exact, and no answer passes over more than a step', async (offset) => {
  const expected = [0, 1].map((more) => `"k${LISTED - 1 - offset - more}"`);
  expect(await page(offset)).toEqual({ items: expected, total: LISTED });
  for (const { skip = 0 } of asked) expect(skip).toBeLessThanOrEqual(MAX_IN_ONE_ANSWER);
  // Only the place is read of what is passed over: the index has it.
  for (const { skip = 0, projection } of asked)
    if (skip > 1_000) expect(projection).toEqual({ _id: 0, 'l.all.r': 1 });
});

test('a page far behind the end reads the total alone', async () => {
  expect(await page(LISTED)).toEqual({ items: [], total: LISTED });
  expect(await page(1e12)).toEqual({ items: [], total: LISTED });
  expect(asked).toEqual([]);
});

test('a total that is behind its rows hides none of them', async () => {
  expect(await queries.page(TOKENS, 'none', '', { view: 'key', offset: 0, limit: 2 })).toEqual({
    items: [],
    total: 0,
  });
  await build.totals.bulkWrite([
    { replaceOne: { filter: { _id: totalId('all', '') }, replacement: { n: 1, s: 2 } } },
  ]);
  expect(await page(10)).toMatchObject({ total: 12 });
});

test('a count takes bounded steps', async () => {
  asked.length = 0;
  expect(await countListed(build, 'all', '')).toBe(LISTED);
  for (const { skip = 0, limit = 0 } of asked)
    expect(Math.max(skip, limit)).toBeLessThanOrEqual(MAX_IN_ONE_ANSWER);
  expect(await countListed(build, 'none', '')).toBe(0);
});
