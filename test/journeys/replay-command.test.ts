/** `levy replay` of the folder that a service has left. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { levy } from '../support/levy-command.ts';

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
