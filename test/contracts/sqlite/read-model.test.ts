// The SQLite read model keeps the port's contract, and takes part in the append's transaction.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../src/adapters/sqlite/event-store.ts';
import { sqlite } from '../../../src/adapters/sqlite/index.ts';
import { createSqliteReadModel } from '../../../src/adapters/sqlite/read-model.ts';
import type { EventToAppend } from '../../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { Collection } from '../../../src/kernel/ports/read-model.ts';
import { reopenedFolder } from '../../support/reopened-folder.ts';
import { readModelContract } from '../read-model.contract.ts';

readModelContract('the SQLite read model', { atomicCommit: true }, async () => {
  const { first: readModel, ...opened } = await reopenedFolder((folder) =>
    sqlite['read-model'].open({ url: `sqlite:${join(folder, 'documents.db')}`, logger: silentLogger }),
  );
  return { readModel, ...opened };
});

readModelContract('the SQLite read model in one file with the log', { atomicCommit: true }, async () => {
  const { first: readModel, ...opened } = await reopenedFolder(async (folder) => {
    const settings = { url: `sqlite:${join(folder, 'all.db')}`, prefix: 'levy', logger: silentLogger };
    const pair = await sqlite['event-store'].openWithReadModel(settings, { apply() {} });
    return { port: pair.readModel, close: () => pair.close() };
  });
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
  await expect(other.port.withdraw(plain)).rejects.toThrow('open for reading only');
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
  expect([await readModel.isLive(plain), await readModel.checkpoint(plain)]).toEqual([true, '1']);
  expect(await readModel.get(plain, 'a')).toEqual({ name: 'a' });

  await readModel.prepare([indexed]);
  expect(tables().length).toBeGreaterThan(before.length);
  expect(await readModel.get(indexed, 'a')).toEqual({ name: 'a' });
  await readModel.goLive(plain);
  expect(tables()).toEqual(before);
  await readModel.prepare([indexed]);
  await readModel.goLive(indexed);
  // What a collection without lists and terms needs, and nothing that was there before.
  expect(tables()).toEqual(['collections', 'plain_v3-2.documents', 'plain_v3-2.index.all']);
});

test('documents written within an append are there as soon as it is acknowledged, and fail apart from it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  const database = openSqliteDatabase(join(folder, 'events.db'));
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  const counts: Collection = { name: 'counts', version: 1, lists: { all: () => 'all' } };
  const readModel = createSqliteReadModel(database);
  await readModel.prepare([counts]);
  await readModel.goLive(counts);
  // Asked for before it is there, too: what was found then must not be found for ever.
  expect(await readModel.get(counts, 'thing-1')).toBeUndefined();
  const store = createSqliteEventStore(database, {
    inline: {
      apply(events) {
        for (const { stream, position, data } of events) {
          const before = readModel.loadNow(counts, [stream]).get(stream)?.document?.count;
          const document = { count: Number(before ?? 0) + 1 };
          readModel.commitNow([
            { collection: counts, changes: [{ key: stream, position, document }], checkpoint: position },
          ]);
          if (data.bad) throw new Error('bad');
        }
      },
    },
  });

  await store.append('thing-1', 'none', [event(), event(), event()]);
  expect(await readModel.get(counts, 'thing-1')).toEqual({ count: 3 });
  const checkpoint = await store.head();
  expect(await readModel.checkpoint(counts)).toBe(checkpoint);
  await store.append('thing-1', 2, [event(), event({ bad: true })]);
  expect(await readModel.get(counts, 'thing-1')).toEqual({ count: 3 });
  expect(await readModel.checkpoint(counts)).toBe(checkpoint);
});

function event(data: EventToAppend['data'] = {}): EventToAppend {
  return { id: randomUUID(), type: 'thing-happened', data, metadata: {} };
}
