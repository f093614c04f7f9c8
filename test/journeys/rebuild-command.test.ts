/** `levy rebuild` and `levy replay`, as an operator runs them on a folder that a service has left. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { featured } from '../../src/projections/featured.ts';
import { keptProjections, projections } from '../../src/projections/index.ts';
import { tokens } from '../../src/projections/tokens.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { copyOf, levy } from '../support/levy-command.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RECORDED = fileURLToPath(new URL('../recorded/', import.meta.url));

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
  const database = openSqliteDatabase(join(folder, 'levy-read-model.db'));
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
  const database = openSqliteDatabase(join(data, 'levy-read-model.db'));
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

test('the past is printed as documents, whose events are those up to then, and nothing is written', async () => {
  const before = await readFile(join(folder, 'levy.db'));
  const events = (await levy(folder, ['events', '--json'])).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [first] = events.filter(({ type }) => type === 'TokenCreated');
  const replay = async (until: string, ...names: readonly string[]) => {
    const { code, stdout } = await levy(folder, ['replay', '--until', until, ...names]);
    expect(code).toBe(0);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  };
  const then = await replay(String(first.metadata.occurredAt), 'tokens');
  expect(then).toEqual([
    { collection: 'tokens', key: first.data.token.tokenId, document: expect.objectContaining({}) },
  ]);
  const last = String(events.at(-1).position);
  const [all, tokens] = [await replay(last), await replay(last, 'tokens')];
  expect(all.filter(({ collection }) => collection === 'tokens')).toEqual(tokens);
  expect(new Set(all.map(({ collection }) => collection)).size).toBeGreaterThan(5);
  const beyond = await levy(folder, ['replay', '--until', '9'.repeat(20)]);
  expect([beyond.code, beyond.stdout, beyond.stderr]).toEqual([
    2,
    '',
    expect.stringContaining('the log ends at'),
  ]);
  expect((await readFile(join(folder, 'levy.db'))).equals(before)).toBe(true);
});

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
