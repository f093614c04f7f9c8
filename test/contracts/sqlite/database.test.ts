// One connection holds the file; writes are committed in groups, and each succeeds or fails for itself.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { StoreInUse } from '../../../src/kernel/ports/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const module = new URL('../../../src/adapters/sqlite/database.ts', import.meta.url).href;

test('a second opening is refused at once, from this process and from another, until the first is closed', async () => {
  const path = await newPath();
  const first = openSqliteDatabase(path);
  expect(() => openSqliteDatabase(path)).toThrow(StoreInUse);
  expect(await openElsewhere(path)).toContain('StoreInUse');
  expect(await openElsewhere(path)).toContain('another process');
  await first.close();
  expect(await openElsewhere(path)).toBe('opened');
});

test('a write that throws undoes itself alone, and rejects alone', async () => {
  const database = await openWithTable();
  const results = await Promise.allSettled([
    database.write(() => insert(database, 'first')),
    database.write(() => {
      insert(database, 'second');
      throw new Error('no');
    }),
    database.write(() => insert(database, 'third')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(contents(database)).toEqual(['first', 'third']);
  await expect(
    database.write(() => {
      insert(database, 'alone');
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(contents(database)).toEqual(['first', 'third']);
  expect(database.trouble()).toBeUndefined();
});

test.each([true, false])('every write is done, in order, with grouping %s', async (groupCommit) => {
  const database = await openWithTable({ groupCommit });
  const names = Array.from({ length: 1_500 }, (_, n) => `${n}`);
  await Promise.all(names.map((name) => database.write(() => insert(database, name))));
  expect(contents(database)).toEqual(names);
});

test('a full disk rejects every write of its commit, and shows until a commit succeeds', async () => {
  const database = await openWithTable();
  await database.write(() => insert(database, 'kept'));
  const limit = (pages: number) => database.statement(`PRAGMA max_page_count=${pages}`).row();
  limit(10);
  const results = await Promise.allSettled([
    database.write(() => insert(database, 'small')),
    database.write(() => insert(database, 'x'.repeat(1_000_000))),
    database.write(() => insert(database, 'small')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(contents(database)).toEqual(['kept']);
  expect(database.trouble()).toBeDefined();
  limit(100_000);
  await database.write(() => insert(database, 'again'));
  expect(contents(database)).toEqual(['kept', 'again']);
  expect(database.trouble()).toBeUndefined();
});

async function newPath(): Promise<string> {
  return join(await temporaryFolder(), 'test.db');
}

async function openWithTable(options?: { groupCommit: boolean }): Promise<SqliteDatabase> {
  const database = openSqliteDatabase(await newPath(), options);
  onTestFinished(() => database.close());
  database.execute('CREATE TABLE things (name TEXT)');
  return database;
}

function insert(database: SqliteDatabase, name: string): void {
  database.statement('INSERT INTO things VALUES (?)').run(name);
}

function contents(database: SqliteDatabase): string[] {
  return database.read(() =>
    database
      .statement<[string]>('SELECT name FROM things ORDER BY rowid')
      .rows()
      .map(([name]) => name),
  );
}

async function openElsewhere(path: string): Promise<string> {
  const code = `
    const { openSqliteDatabase } = await import(${JSON.stringify(module)});
    try {
      await openSqliteDatabase(${JSON.stringify(path)}).close();
      console.log('opened');
    } catch (error) {
      console.log(error.name, error.message);
    }`;
  const args = ['--import', 'tsx', '--conditions=levy-source', '--input-type=module', '-e', code];
  return (await promisify(execFile)(process.execPath, args)).stdout.trim();
}
