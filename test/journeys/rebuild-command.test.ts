/** `levy rebuild`, `levy replay` and `levy serve --read-only`, as an operator runs them on a folder that a service has left. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { projections } from '../../src/projections/index.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { copyOf, LEVY, levy } from '../support/levy-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RECORDED = fileURLToPath(new URL('../upgrade/recorded/47d3ef2/', import.meta.url));

/** As this release leaves it. */
let folder = '';
let tokensTable = '';

beforeAll(async () => {
  folder = join(await folderForTheFile(), 'data');
  execFileSync('tar', ['-xzf', join(RECORDED, 'data.tar.gz'), '-C', join(folder, '..')]);
  const rebuilt = await levy(folder, ['rebuild', '--json']);
  expect(rebuilt.stderr).toBe('');
  expect(JSON.parse(rebuilt.stdout).rebuilt.map(({ name }: { name: string }) => name)).toEqual(
    projections.map(({ name }) => name),
  );
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const [name = ''] =
    database
      .statement<[string]>(`SELECT name FROM sqlite_master WHERE name LIKE 'tokens_v%.documents'`)
      .row() ?? [];
  tokensTable = name;
  await database.close();
}, 60_000);

test('a rebuilt folder is the same as its log, and comparing changes no byte of it', async () => {
  const before = await readFile(join(folder, 'levy.db'));
  const { code, stdout } = await levy(folder, ['rebuild', '--compare', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ differences: 0, notCompared: [] });
  expect((await readFile(join(folder, 'levy.db'))).equals(before)).toBe(true);
}, 30_000);

test('a document that was changed in SQL is named by its key, and rebuilt', async () => {
  const data = await copyOf(folder);
  const database = openSqliteDatabase(join(data, 'levy.db'));
  database.execute(
    `UPDATE "${tokensTable}" SET document = replace(document, 'Café', 'Bar') WHERE ordinal = 1`,
  );
  await database.close();
  const lied = await levy(data, ['rebuild', '--compare', '--json', 'tokens']);
  const [difference, summary] = lied.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lied.code).toBe(1);
  expect(difference).toMatchObject({ kind: 'differs', collection: 'tokens', parts: ['document'] });
  expect(summary).toMatchObject({ differences: 1 });
  expect((await levy(data, ['rebuild', 'tokens'])).code).toBe(0);
  expect((await levy(data, ['rebuild', '--compare', 'tokens'])).code).toBe(0);
}, 30_000);

test('where there is no log nothing is made, and it says so', async () => {
  const empty = await temporaryFolder();
  const { code, stderr } = await levy(empty, ['rebuild']);
  expect(code).toBe(2);
  expect(stderr).toContain('there is no such file');
  expect(existsSync(join(empty, 'levy.db'))).toBe(false);
}, 30_000);

test('the past is replayed into an empty place alone, and served without changing anything', async () => {
  const then = join(await temporaryFolder(), 'then.db');
  const events = (await readFile(join(RECORDED, 'log.ndjson'), 'utf8')).trimEnd().split('\n');
  const created = events.map((line) => JSON.parse(line)).filter(({ type }) => type === 'TokenCreated');
  const [first] = created;
  const into = `sqlite:${then}`;
  const until = String(first.metadata.occurredAt);
  const replayed = await levy(folder, ['replay', '--until', until, '--into', into, '--json']);
  expect([replayed.code, replayed.stderr]).toEqual([0, '']);
  expect(JSON.parse(replayed.stdout)).toMatchObject({ time: until });
  expect((await levy(folder, ['replay', '--until', until, '--into', into])).code).toBe(0);
  const other = await levy(folder, [
    'replay',
    '--until',
    events.length.toString().padStart(20, '0'),
    '--into',
    into,
  ]);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('name an empty one')]);
  const own = await levy(folder, ['replay', '--until', until, '--into', `sqlite:${join(folder, 'levy.db')}`]);
  expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('holds something else')]);

  const before = await readFile(then);
  const data = join(await temporaryFolder(), 'none');
  await mkdir(join(data, 'images'), { recursive: true });
  await mkdir(join(data, 'ledgers'));
  const serving = spawn(
    process.execPath,
    [LEVY, 'serve', '--read-only', '--read-model', into, '--port', '0'],
    {
      env: { PATH: process.env.PATH, DATA_DIR: data, LOG_LEVEL: 'error' },
    },
  );
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let written = '';
      serving.stdout.on('data', (some) => {
        written += some;
        const found = /^listening on (http:[^,\s]+)/m.exec(written)?.[1];
        if (found !== undefined) resolve(found);
      });
      serving.once('close', () => reject(new Error(`it ended: ${written}`)));
    });
    const ask = async (path: string, options?: RequestInit) => {
      const response = await fetch(`${url}${path}`, options);
      return { status: response.status, body: await response.json() };
    };
    expect(await ask('/tokens')).toMatchObject({
      status: 200,
      body: { pagination: { total: 1 }, tokens: [{ mintAddress: first.data.token.mintAddress }] },
    });
    expect(await ask('/ready')).toMatchObject({
      status: 200,
      body: { checks: [{ name: 'read-only', ok: true, time: until }] },
    });
    for (const [path, body] of [
      ['/tokens/create-unsigned', '{'],
      ['/tokens/upload-image', 'x'],
      ['/auth/verify', '{}'],
    ] as const) {
      const refused = await ask(path, { method: 'POST', body });
      expect([path, refused]).toMatchObject([path, { status: 503, body: { code: 'READ_ONLY' } }]);
    }
    expect(await ask('/events')).toMatchObject({ status: 503, body: { code: 'READ_ONLY' } });
  } finally {
    serving.kill('SIGTERM');
    await once(serving, 'close');
  }
  expect((await readFile(then)).equals(before)).toBe(true);
}, 60_000);
