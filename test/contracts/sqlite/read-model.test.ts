import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { sqlite } from '../../../src/adapters/sqlite/index.ts';
import { createSqliteReadModel } from '../../../src/adapters/sqlite/read-model.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { Collection, ReadModel } from '../../../src/kernel/ports/read-model.ts';
import { reopenedFolder } from '../../support/reopened-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readModelContract } from '../read-model.contract.ts';

readModelContract('the SQLite read model', { atomicCommit: true }, async () => {
  const { first: readModel, ...opened } = await reopenedFolder((folder) =>
    sqlite['read-model'].open({ url: `sqlite:${join(folder, 'documents.db')}`, logger: silentLogger }),
  );
  return { readModel, ...opened };
});

test('opened for reading, a file is read by several at once, and stays as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = { url: `sqlite:${join(folder, 'documents.db')}`, logger: silentLogger };
  const plain: Collection = { name: 'plain', version: 1 };
  const writing = await sqlite['read-model'].open(settings);
  await writing.port.prepare([plain]);
  await writing.port.commit([
    { collection: plain, changes: [{ key: 'a', position: '1', document: { name: 'a' } }] },
  ]);
  await writing.port.goLive(plain);
  await expect(sqlite['read-model'].openForReading(settings)).rejects.toThrow('in use');
  await writing.close();

  const before = await readFile(join(folder, 'documents.db'));
  const [one, other] = [
    await sqlite['read-model'].openForReading(settings),
    await sqlite['read-model'].openForReading(settings),
  ];
  const raised: Collection = { name: 'plain', version: 2 };
  await one.port.prepare([raised]);
  await one.close();
  await other.port.prepare([plain]);
  expect(await other.port.get(plain, 'a')).toEqual({ name: 'a' });
  await expect(other.port.renew(plain, 'nothing')).rejects.toThrow('open for reading only');
  await other.close();
  expect((await readFile(join(folder, 'documents.db'))).equals(before)).toBe(true);
});

test('nothing is left of what has been replaced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  const database = openSqliteDatabase(join(folder, 'documents.db'));
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  const plain: Collection = { name: 'plain', version: 3 };
  const indexed: Collection = { ...plain, indexes: { all: () => ['all'] } };
  const tables = () =>
    database
      .statement<[string]>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
      .rows()
      .flat();
  const former = createSqliteReadModel(database);
  await former.prepare([plain]);
  const change = { key: 'a', position: '1', document: { name: 'a' } };
  await former.commit([{ collection: plain, changes: [change], checkpoint: '1' }]);
  await former.goLive(plain);
  const before = tables();

  const readModel = createSqliteReadModel(database);
  await readModel.prepare([plain]);
  expect(tables()).toEqual(before);
  expect([(await readModel.own(plain)).isLive, (await readModel.own(plain)).checkpoint]).toEqual([true, '1']);
  expect(await readModel.get(plain, 'a')).toEqual({ name: 'a' });

  await readModel.prepare([indexed]);
  expect(tables().length).toBeGreaterThan(before.length);
  expect(await readModel.get(indexed, 'a')).toEqual({ name: 'a' });
  await readModel.goLive(plain);
  expect(tables()).toEqual(before);
  await readModel.prepare([indexed]);
  await readModel.goLive(indexed);
  expect(tables()).toEqual([
    'builds',
    'plain_v3-2.documents',
    'plain_v3-2.entries',
    'plain_v3-2.partitions',
    'plain_v3-2.ranks',
  ]);
});

test('a file that an older release filled is filled anew', async () => {
  const database = openSqliteDatabase(':memory:');
  onTestFinished(() => database.close());
  database.execute(`
    CREATE TABLE collections (name TEXT, version INT, generation INT, live INT); INSERT INTO collections VALUES ('plain', 1, 1, 1);
    CREATE TABLE "plain_v1.documents" (key TEXT); INSERT INTO "plain_v1.documents" VALUES ('old')`);
  const plain: Collection = { name: 'plain', version: 1 };
  const readModel = createSqliteReadModel(database);
  await readModel.prepare([plain]);
  expect([(await readModel.own(plain)).isLive, (await readModel.own(plain)).checkpoint]).toEqual([
    false,
    undefined,
  ]);
  const changes = [{ key: 'a', position: '1', document: { name: 'a' } }];
  await readModel.commit([{ collection: plain, changes }]);
  await readModel.goLive(plain);
  expect(await readModel.get(plain, 'a')).toEqual({ name: 'a' });
});

test('the totals of lists are right after any kill, and after what is committed again', async () => {
  const folder = await temporaryFolder();
  const shown: Collection = {
    name: 'shown',
    version: 1,
    lists: {
      all: ({ isShown }) => (isShown === true ? 'all' : undefined),
      third: ({ third }) => String(third),
    },
    indexes: { third: ({ third }) => [String(third)] },
    views: { whole: (document) => document },
  };
  const changes = Array.from({ length: 300 }, (_, index) => ({
    key: `k${(index * 7) % 40}`,
    position: String(index).padStart(9, '0'),
    document: index % 11 === 4 ? undefined : { isShown: index % 3 > 0, third: index % 3, index },
  }));
  const listsAfter = (count: number) => {
    const last = new Map(changes.slice(0, count).map(({ key, document }) => [key, document]));
    const found = [...last.values()].filter((document) => document !== undefined);
    return [
      found.filter(({ isShown }) => isShown).length,
      ...[0, 1, 2].map((third) => found.filter((document) => document.third === third).length),
    ];
  };
  async function totals(readModel: ReadModel) {
    const options = { view: 'whole', offset: 0, limit: 1_000 };
    const pages = await Promise.all([
      readModel.page(shown, 'all', 'all', options),
      ...['0', '1', '2'].map((third) => readModel.page(shown, 'third', third, options)),
    ]);
    for (const { items, total } of pages) expect(items).toHaveLength(total);
    for (const third of [0, 1, 2])
      expect(await readModel.find(shown, 'third', String(third))).toHaveLength(pages[third + 1]?.total ?? -1);
    return pages.map(({ total }) => total);
  }

  const database = openSqliteDatabase(join(folder, 'documents.db'));
  const readModel = createSqliteReadModel(database);
  await readModel.prepare([shown]);
  await readModel.goLive(shown);
  for (let written = 0; written < changes.length; written += 30) {
    await readModel.commit([
      { collection: shown, changes: changes.slice(Math.max(0, written - 20), written + 30) },
    ]);
    expect(await totals(readModel)).toEqual(listsAfter(written + 30));
    // The files as they are now are those that a killed process leaves.
    const killed = join(folder, `killed-${written}`);
    await mkdir(killed);
    for (const file of ['documents.db', 'documents.db-wal'])
      await copyFile(join(folder, file), join(killed, file));
    const again = openSqliteDatabase(join(killed, 'documents.db'));
    const reopened = createSqliteReadModel(again);
    await reopened.prepare([shown]);
    expect(await totals(reopened)).toEqual(listsAfter(written + 30));
    const failing = [
      ...changes.slice(written + 30, written + 50),
      { key: 'bad', position: 'z', document: BAD },
    ];
    await expect(reopened.commit([{ collection: shown, changes: failing }])).rejects.toThrow();
    expect(await totals(reopened)).toEqual(listsAfter(written + 30));
    await reopened.commit([{ collection: shown, changes: changes.slice(written) }]);
    expect(await totals(reopened)).toEqual(listsAfter(changes.length));
    await again.close();
  }
  await database.close();
});

/** Cannot be written. */
const BAD = {
  get isShown(): boolean {
    throw new Error('bad');
  },
};
