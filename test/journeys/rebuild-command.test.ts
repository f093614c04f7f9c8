/** `levy rebuild`, `levy replay` and `levy serve --read-only`, as an operator runs them on a folder that a service has left. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { featured } from '../../src/projections/featured.ts';
import { keptProjections, projections } from '../../src/projections/index.ts';
import { tokens } from '../../src/projections/tokens.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { copyOf, LEVY, levy } from '../support/levy-command.ts';
import { hasMongo, sharedMongo, tellOfSkippedMongo } from '../support/mongo-server.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Recording } from '../upgrade/recorded-calls.ts';

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
    keptProjections.map(({ name }) => name),
  );
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const [name = ''] =
    database
      .statement<[string]>(`SELECT name FROM sqlite_master WHERE name LIKE 'tokens_v%.documents'`)
      .row() ?? [];
  tokensTable = name;
  await database.close();
});

test('a rebuilt folder is the same as its log, and comparing changes no byte of it', async () => {
  const before = await readFile(join(folder, 'levy.db'));
  const { code, stdout } = await levy(folder, ['rebuild', '--compare', '--json']);
  expect(code).toBe(0);
  const comparison = JSON.parse(stdout);
  expect(comparison).toMatchObject({ differences: 0, notCompared: [] });
  const compared = comparison.compared.map(({ collection }: { collection: string }) => collection);
  expect(compared, 'what comes from ledgers is not in the log').toEqual(projections.map(({ name }) => name));
  const filed = await levy(folder, ['rebuild', '--compare', 'wallet_shares']);
  expect(filed).toMatchObject({ code: 2, stderr: expect.stringContaining('rebuild it instead') });
  expect((await readFile(join(folder, 'levy.db'))).equals(before)).toBe(true);
});

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
});

test('where there is no log nothing is made, and it says so', async () => {
  const empty = await temporaryFolder();
  const { code, stderr } = await levy(empty, ['rebuild']);
  expect(code).toBe(2);
  expect(stderr).toContain('there is no such file');
  expect(existsSync(join(empty, 'levy.db'))).toBe(false);
});

test("the past is replayed into a file that a killed replay made and did not write to, and into nobody else's", async () => {
  const place = await temporaryFolder();
  const [empty, made, foreign] = ['empty.db', 'made.db', 'foreign.db'].map((name) => join(place, name));
  const replay = (file = '') =>
    levy(folder, ['replay', '--until', '00000000000000000150', '--into', `sqlite:${file}`]);
  await writeFile(empty ?? '', '');
  await openSqliteDatabase(made ?? '').close();
  const other = openSqliteDatabase(foreign ?? '');
  other.execute('CREATE TABLE notes (text TEXT)');
  await other.close();
  expect(await replay(empty)).toMatchObject({ code: 0, stderr: '' });
  expect(await replay(made)).toMatchObject({ code: 0, stderr: '' });
  expect(await replay(foreign)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('holds no read models'),
  });
});

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
  const { url, stop } = await servedFrom(into, data);
  try {
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
      expect([path, refused]).toMatchObject([path, { status: 409, body: { code: 'READ_ONLY' } }]);
    }
    expect(await ask('/events')).toMatchObject({ status: 409, body: { code: 'READ_ONLY' } });
  } finally {
    await stop();
  }
  expect((await readFile(then)).equals(before)).toBe(true);
});

/** `levy serve --read-only` on what was replayed there. */
async function servedFrom(into: string, data: string) {
  const serving = spawn(
    process.execPath,
    [LEVY, 'serve', '--read-only', '--read-model', into, '--port', '0'],
    { env: { PATH: process.env.PATH, DATA_DIR: data, LOG_LEVEL: 'error' } },
  );
  const url = await new Promise<string>((resolve, reject) => {
    let written = '';
    const hear = (some: Buffer) => {
      written += some;
      const found = /^listening on (http:[^,\s]+)/m.exec(written)?.[1];
      if (found !== undefined) resolve(found);
    };
    serving.stdout.on('data', hear);
    serving.stderr.on('data', hear);
    serving.once('close', () => reject(new Error(`it ended: ${written}`)));
  });
  return {
    url,
    async stop() {
      serving.kill('SIGTERM');
      await once(serving, 'close');
    },
  };
}

tellOfSkippedMongo(1, hasMongo);

test.skipIf(!hasMongo)(
  'replayed into MongoDB, the past answers with the bytes that it has in SQLite',
  async () => {
    const recording: Recording = JSON.parse(await readFile(join(RECORDED, 'answers.json'), 'utf8'));
    const mongo = await sharedMongo();
    const places = [`sqlite:${join(await temporaryFolder(), 'then.db')}`, mongo.newUrl()];
    const lines = (await readFile(join(RECORDED, 'log.ndjson'), 'utf8')).trimEnd().split('\n');
    const until = String(JSON.parse(lines[Math.floor(lines.length / 2)] ?? '{}').position);
    const replayed = await Promise.all(
      places.map((into) => levy(folder, ['replay', '--until', until, '--into', into, '--json'])),
    );
    expect(replayed.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    // Once more into the same place: it is there already. At another moment it is refused.
    const [, inMongo = ''] = places;
    expect((await levy(folder, ['replay', '--until', until, '--into', inMongo])).code).toBe(0);
    const later = await levy(folder, [
      'replay',
      '--until',
      String(lines.length).padStart(20, '0'),
      '--into',
      inMongo,
    ]);
    expect([later.code, later.stderr]).toEqual([2, expect.stringContaining('name an empty one')]);

    const files = await copyOf(folder);
    await mkdir(join(files, 'ledgers'), { recursive: true });
    const served = await Promise.all(places.map((into) => servedFrom(into, files)));
    try {
      const paths = recording.answers.flatMap(({ call }) =>
        call.method === 'GET' && call.as === 'anybody' && !OF_THE_PROCESS.test(call.path) ? [call.path] : [],
      );
      const lists = [1, 2, 50].flatMap((limit) => [
        `/tokens?limit=${limit}`,
        `/tokens?limit=${limit}&page=2`,
      ]);
      let found = 0;
      for (const path of new Set([...paths, ...lists, '/featured'])) {
        const [one, other] = await Promise.all(
          served.map(async ({ url }) => {
            const response = await fetch(`${url}${path}`);
            const tag = response.headers.get('etag');
            return { path, status: response.status, tag, body: withoutRequest(await response.text()) };
          }),
        );
        expect(other).toEqual(one);
        if (one?.status === 200) found += 1;
      }
      expect(found).toBeGreaterThan(8);
    } finally {
      await Promise.all(served.map(({ stop }) => stop()));
    }
  },
  60_000,
);

const OF_THE_PROCESS = /^\/(ready|health|metrics|events|log|openapi|asyncapi|\.well-known)/;

function withoutRequest(body: string): string {
  return body.replace(/"(requestId|correlationId)":"[^"]*"/g, '');
}

test('a running service rebuilds what it is asked for, goes on answering, and its documents are those of the log', async () => {
  const data = await copyOf(folder);
  const service = await startServiceProcess({ ROLES: 'api,projector,settler' }, { folder: data });
  const key = join(await temporaryFolder(), 'operator.key');
  await writeFile(key, `${OPERATOR_KEY}\n`, { mode: 0o600 });
  const over = ['--service', service.url, '--operator-key-file', key];
  const before = await (await fetch(`${service.url}/tokens`)).text();
  const rebuilt = await levy(data, ['rebuild', 'tokens', 'featured', ...over]);
  expect(rebuilt).toMatchObject({ code: 0, stderr: '' });
  // As they end.
  expect(rebuilt.stdout.trimEnd().split('\n').sort()).toEqual([
    `featured (version ${featured.version}) rebuilt`,
    `tokens (version ${tokens.version}) rebuilt`,
  ]);
  expect(await (await fetch(`${service.url}/tokens`)).text()).toBe(before);
  // Twice at once: each is told when the work is done, whoever began it.
  const both = await Promise.all([levy(data, ['rebuild', ...over]), levy(data, ['rebuild', ...over])]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  await service.stop();
  expect(await levy(data, ['rebuild', '--compare'])).toMatchObject({ code: 0, stderr: '' });
});

test('the documents of a running service are not its log: which read models are meant has to be said', async () => {
  const { code, stderr } = await levy(folder, ['rebuild', '--compare', '--service', 'http://127.0.0.1:1']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('shows its log, not its documents')]);
});
