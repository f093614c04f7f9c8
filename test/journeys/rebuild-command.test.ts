/** `levy rebuild` of a running service, and `levy replay` of the folder that a service has left. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { featured } from '../../src/projections/featured.ts';
import { tokens } from '../../src/projections/tokens.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { copyOf, levy } from '../support/levy-command.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RECORDED = fileURLToPath(new URL('../recorded/', import.meta.url));

/** As this release leaves it. */
let folder = '';

beforeAll(async () => {
  folder = join(await folderForTheFile(), 'data');
  execFileSync('tar', ['-xzf', join(RECORDED, 'data.tar.gz'), '-C', join(folder, '..')]);
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
  const audit = JSON.parse((await levy(data, ['audit', '--no-chain', '--json'])).stdout);
  expect(audit.findings.filter(({ check }: { check: string }) => check === 'documents')).toEqual([]);
});
