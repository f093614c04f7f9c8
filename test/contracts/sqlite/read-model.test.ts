import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { sqlite } from '../../../src/adapters/sqlite/index.ts';
import { createSqliteReadModel } from '../../../src/adapters/sqlite/read-model.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { Collection } from '../../../src/kernel/ports/read-model.ts';
import { reopenedFolder } from '../../support/reopened-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readModelContract } from '../read-model.contract.ts';

readModelContract('the SQLite read model', { atomicCommit: true }, async () => {
  const { first: readModel, ...opened } = await reopenedFolder((folder) =>
    sqlite['read-model'].open({ url: `sqlite:${join(folder, 'documents.db')}`, logger: silentLogger }),
  );
  return { readModel, ...opened };
});

test('opened for reading, a file stays as it is', async () => {
  const folder = await temporaryFolder();
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
  const reading = await sqlite['read-model'].openForReading(settings);
  const raised: Collection = { name: 'plain', version: 2 };
  await reading.port.prepare([raised]);
  await reading.port.prepare([plain]);
  expect(await reading.port.get(plain, 'a')).toEqual({ name: 'a' });
  await expect(reading.port.renew(plain, 'nothing')).rejects.toThrow('open for reading only');
  await reading.close();
  expect((await readFile(join(folder, 'documents.db'))).equals(before)).toBe(true);
});

test('nothing is left of what has been replaced', async () => {
  const database = openSqliteDatabase(':memory:');
  onTestFinished(() => database.close());
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
  expect(await readModel.own(plain)).toMatchObject({ isLive: true, checkpoint: '1' });
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
