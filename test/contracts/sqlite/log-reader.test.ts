import { randomUUID } from 'node:crypto';
import { copyFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../src/adapters/sqlite/event-store.ts';
import { sqlite } from '../../../src/adapters/sqlite/index.ts';
import type { LogReader } from '../../../src/kernel/ports/log-reader.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import { allOf } from '../../support/all-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const settings = { prefix: '', logger: silentLogger };
const openReader = (path: string): Promise<LogReader> =>
  sqlite['event-store'].openForReading({ ...settings, url: `sqlite:${path}` });

/** 600 events of three streams, in two categories. */
async function writtenLog(path: string) {
  const database = openSqliteDatabase(path);
  const store = createSqliteEventStore(database);
  for (let count = 0; count < 600; count += 1) {
    const event = { id: randomUUID(), type: 'Happened', data: { count }, metadata: {} };
    const revision = Math.floor(count / 3);
    const stream = ['a-1', 'a-2', 'b-1'][count % 3] ?? '';
    await store.append(stream, revision === 0 ? 'none' : revision - 1, [event]);
  }
  return {
    store,
    async close() {
      await store.close();
      await database.close();
    },
  };
}

test('every event is read once, in order, from any place on, by category and by stream', async () => {
  const path = join(await temporaryFolder(), 'levy.db');
  const { close } = await writtenLog(path);
  await close();
  const log = await openReader(path);
  const events = await allOf(log.events());
  expect(events.map(({ data }) => data.count)).toEqual(Array.from({ length: 600 }, (_none, count) => count));
  expect(await log.head()).toBe(events.at(-1)?.position);
  const middle = events[299]?.position ?? '';
  expect(await allOf(log.events({ after: middle }))).toEqual(events.slice(300));
  expect(await allOf(log.events({ categories: ['b'] }))).toEqual(
    events.filter((each) => each.stream === 'b-1'),
  );
  expect(await allOf(log.stream('a-2'))).toEqual(events.filter((each) => each.stream === 'a-2'));
  expect(await allOf(log.stream('a-2', 150))).toEqual(
    events.filter((each) => each.stream === 'a-2' && each.revision >= 150),
  );
  expect(await allOf(log.stream('a-3'))).toEqual([]);
  expect(log.extentOf(middle)).toEqual({ unit: 'events', amount: 300 });
  await log.close();
});

test('reading changes nothing, not even where a killed process left its write-ahead log', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'levy.db');
  const { close } = await writtenLog(path);
  const left = join(folder, 'left.db');
  // As a killed process leaves them: the write-ahead log beside the database.
  await copyFile(path, left);
  await copyFile(`${path}-wal`, `${left}-wal`);
  await close();
  for (const [file, files] of [
    [path, [path]],
    [left, [left, `${left}-wal`]],
  ] as const) {
    const before = await Promise.all(files.map((each) => readFile(each)));
    const log = await openReader(file);
    expect((await allOf(log.events())).length).toBe(600);
    await log.close();
    const after = await Promise.all(files.map((each) => readFile(each)));
    expect(after.every((bytes, index) => before[index]?.equals(bytes))).toBe(true);
    await expect(stat(`${file}-shm`)).rejects.toThrow('ENOENT');
  }
});

test('a log in use is refused to a reader, and a log that is read to a service', async () => {
  const path = join(await temporaryFolder(), 'levy.db');
  const { close } = await writtenLog(path);
  await expect(openReader(path)).rejects.toThrow(/is in use/);
  await close();
  const log = await openReader(path);
  await expect(sqlite['event-store'].open({ ...settings, url: `sqlite:${path}` })).rejects.toThrow(
    /is in use/,
  );
  await log.close();
});

test('what is no log is refused in a sentence, and nothing is made', async () => {
  const folder = await temporaryFolder();
  const missing = join(folder, 'missing.db');
  await expect(openReader(missing)).rejects.toThrow(`"${missing}" cannot be read: the file does not exist`);
  await expect(stat(missing)).rejects.toThrow('ENOENT');
  const other = join(folder, 'other.db');
  await openSqliteDatabase(other).close();
  await expect(openReader(other)).rejects.toThrow(
    /contains no event log; use the file named in the service's EVENT_STORE_URL/,
  );
});

test('a log in another format is refused to a reader and to a service, and stays as it is', async () => {
  const path = join(await temporaryFolder(), 'levy.db');
  await (await writtenLog(path)).close();
  const database = new Database(path);
  database.exec('PRAGMA user_version = 2');
  database.close();
  const before = await readFile(path);
  await expect(openReader(path)).rejects.toThrow('this build reads only format');
  const opening = sqlite['event-store'].open({ ...settings, url: `sqlite:${path}` });
  await expect(opening).rejects.toThrow('was written in format 2');
  expect(await readFile(path)).toEqual(before);
});
