// Damaged files: what the start finds, what is found later, and what a whole check says.
import { randomUUID } from 'node:crypto';
import { copyFile, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkDatabase } from '../../../src/adapters/sqlite/check-database.ts';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../src/adapters/sqlite/event-store.ts';
import { sqlite } from '../../../src/adapters/sqlite/index.ts';
import { type AppendResult, type EventStore, START } from '../../../src/kernel/ports/event-store.ts';
import { loggerTo, silentLogger } from '../../../src/kernel/ports/logger.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WRITERS = 8;

/** Appends, and leaves the files as a process does that is killed: the write-ahead log stays. */
async function appendAndKill(path: string, events: number): Promise<void> {
  const database = openSqliteDatabase(path);
  const store = createSqliteEventStore(database);
  for (let count = 0; count < events; count += WRITERS) {
    await Promise.all(Array.from({ length: Math.min(WRITERS, events - count) }, () => append(store)));
  }
  const files = [path, `${path}-wal`];
  const left = await Promise.all(files.map((file) => readFile(file)));
  await store.close();
  await database.close();
  for (const [index, bytes] of left.entries()) await writeFile(files[index] ?? '', bytes);
}

function append(store: EventStore): Promise<AppendResult> {
  const id = randomUUID();
  return store.append(`thing-${id}`, 'none', [{ id, type: 'thing-happened', data: {}, metadata: {} }]);
}

async function newPath(): Promise<string> {
  return join(await temporaryFolder(), 'events.db');
}

function openLog(path: string) {
  return sqlite['event-store'].open({
    url: `sqlite:${path}`,
    prefix: 'levy',
    logger: silentLogger,
  });
}

async function openAndClose(path: string): Promise<void> {
  await (await openLog(path)).close();
}

/** Works on the file as somebody does who goes round the service. */
function tamper(path: string, ...statements: readonly string[]): void {
  const database = new Database(path);
  for (const statement of statements) database.exec(statement);
  database.close();
}

async function flip(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, at);
  await file.write(Buffer.of((byte[0] ?? 0) ^ 0xff), 0, 1, at);
  await file.close();
}

describe('a start is refused, with the file and what to do,', () => {
  test('on an older database under a newer write-ahead log', async () => {
    const path = await newPath();
    await appendAndKill(path, 500);
    await openAndClose(path);
    await copyFile(path, `${path}.older`);
    // More than goes into one write-ahead log.
    await appendAndKill(path, 4_000);
    await copyFile(`${path}.older`, path);
    await expect(openLog(path)).rejects.toThrow(/events\.db" is damaged: .*backup.*repair-a-damaged-log/);
  });

  test.each([
    ['cut off', async (path: string) => truncate(path, 20_480)],
    [
      'overwritten from its third page on',
      async (path: string) => {
        const { size } = await stat(path);
        const file = await open(path, 'r+');
        await file.write(Buffer.alloc(size - 8_192, 'x'), 0, size - 8_192, 8_192);
        await file.close();
      },
    ],
    ['no database', async (path: string) => writeFile(path, 'no database'.repeat(2_000))],
  ])('on a file that is %s', async (_what, damage) => {
    const path = await newPath();
    await appendAndKill(path, 2_000);
    await openAndClose(path);
    await damage(path);
    await expect(openLog(path)).rejects.toThrow(/events\.db" is damaged: .*backup/);
  });

  test.each([
    [
      'an event is missing',
      'DELETE FROM events WHERE position = (SELECT max(position) - 5 FROM events)',
      /missing/,
    ],
    [
      'a revision is another',
      'UPDATE events SET revision = revision + 7 WHERE position = (SELECT max(position) FROM events)',
      /the previous event of the stream is missing/,
    ],
    ['an id is none', `UPDATE events SET id = 'x' WHERE position = 1`, /the event id is not a UUID/],
  ])('on a log in which %s', async (_what, statement, reason) => {
    const path = await newPath();
    await appendAndKill(path, 300);
    await openAndClose(path);
    tamper(path, statement);
    await expect(openLog(path)).rejects.toThrow(reason);
    const { findings } = await checkDatabase(path);
    expect(findings.filter(({ part }) => part === 'log')).not.toEqual([]);
  });
});

describe('a start is not refused', () => {
  test('on files as they are after a kill, at any time, again and again', async () => {
    const path = await newPath();
    for (const events of [1, 2, 40, 3_000, 5, 1_200, 700]) {
      await appendAndKill(path, events);
      await openAndClose(path);
    }
    const { findings, events } = await checkDatabase(path);
    expect(findings).toEqual([]);
    expect(events).toBe(4_948);
  });

  // SQLite leaves out a write-ahead log that does not belong to the file, and all behind a damaged part of one. What remains is a
  // whole log that ends earlier: only who knows the later end can tell, as the transparency log does.
  test.each([
    ['an older write-ahead log', async (path: string) => copyFile(`${path}.older-wal`, `${path}-wal`)],
    ['no write-ahead log', async (path: string) => rm(`${path}-wal`)],
    [
      'a write-ahead log with a damaged part',
      async (path: string) => flip(`${path}-wal`, 32 + 24 + 4_096 + 24 + 2_000),
    ],
  ])('on a database beside %s, and what remains is whole', async (_what, change) => {
    const path = await newPath();
    await appendAndKill(path, 500);
    await copyFile(`${path}-wal`, `${path}.older-wal`);
    await openAndClose(path);
    await appendAndKill(path, 200);
    await change(path);
    await openAndClose(path);
    const { events, findings } = await checkDatabase(path);
    expect(findings).toEqual([]);
    expect(events).toBeLessThan(700);
  });

  test('on a stream that keeps only its last events', async () => {
    const path = await newPath();
    const log = await openLog(path);
    for (let revision = -1; revision < 20; revision += 1) {
      const id = `00000000-0000-4000-8000-${String(revision + 1).padStart(12, '0')}`;
      const expected = revision < 0 ? ('none' as const) : revision;
      await log.port.append('thing-1', expected, [{ id, type: 'thing-happened', data: {}, metadata: {} }]);
    }
    await log.port.setMaxCount('thing-1', 3);
    await log.close();
    await openAndClose(path);
    expect(await checkDatabase(path)).toEqual({ events: 3, findings: [] });
  });
});

describe('damage that shows later', () => {
  test('stops writing: appends are refused, the store says what is wrong, and it is told once', async () => {
    const path = await newPath();
    await appendAndKill(path, 3_000);
    await openAndClose(path);
    const told: object[] = [];
    const database = openSqliteDatabase(path, {
      logger: loggerTo((message, details) => void told.push({ message, ...details })),
    });
    onTestFinished(() => database.close());
    const store = createSqliteEventStore(database);
    const { size } = await stat(path);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(size - 20_480, 'x'), 0, size - 20_480, 20_480);
    await file.close();
    const everything = store.subscribe({ after: START, signal: new AbortController().signal });
    await expect(
      (async () => {
        for await (const message of everything) if (message.kind === 'caught-up') return;
      })(),
    ).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(database.trouble()).toMatchObject({
      kind: 'damaged',
      where: 'events.db',
      whatToDo: expect.stringContaining('backup'),
    });
    expect(database.trouble()).toBeDefined();
    for (let times = 0; times < 3; times += 1)
      await expect(append(store)).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(told).toEqual([
      expect.objectContaining({ message: 'the database cannot be written', file: path, cause: 'damaged' }),
    ]);
  });

  test('a row that is not JSON is no damage of the file: the event can be quarantined, and a whole check names it', async () => {
    const path = await newPath();
    await appendAndKill(path, 10);
    await openAndClose(path);
    tamper(path, `UPDATE events SET data = '{"a' WHERE position = 4`);
    const log = await openLog(path);
    const unreadable: (string | undefined)[] = [];
    for await (const message of log.port.subscribe({ after: START, signal: new AbortController().signal })) {
      if (message.kind === 'caught-up') break;
      if (message.kind === 'event') unreadable.push(message.event.unreadable);
    }
    expect(unreadable.filter((reason) => reason !== undefined)).toEqual(['its data are not JSON']);
    const { events } = await log.port.readWindow({ direction: 'forwards', limit: 100 });
    expect(events.map((event) => event.unreadable)).toEqual(unreadable);
    expect(log.trouble()).toBeUndefined();
    await log.close();
    expect((await checkDatabase(path)).findings).toEqual([
      { part: 'log', position: 4, reason: 'the event content is not JSON' },
    ]);
  });
});

test('a whole check says how far it is, and can be aborted', async () => {
  const path = await newPath();
  await appendAndKill(path, 500);
  await openAndClose(path);
  const parts = new Set<string>();
  let last = { done: 0, of: 1 };
  await checkDatabase(path, {
    progress(progress) {
      parts.add(progress.part);
      if (progress.part === 'log') last = progress;
    },
  });
  expect([...parts]).toEqual(['file', 'log']);
  expect(last.done).toBe(last.of);
  await expect(checkDatabase(path, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
    'enough',
  );
});
