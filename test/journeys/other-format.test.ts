/** Data of a build with another format: every command refuses it in one sentence, and changes no byte of it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { levy } from '../support/levy-command.ts';
import { endOfServiceProcess } from '../support/service-process.ts';

/** The data folder of a build from before there was a format. */
const ARCHIVE = fileURLToPath(new URL('../recorded/without-a-format.tar.gz', import.meta.url));
const REFUSED = /levy\.db" was written without a format, but this build reads only format 3/;

let folder: string;
let before: string;

function digestOf(path: string): string {
  const hash = createHash('sha256');
  for (const name of (readdirSync(path, { recursive: true }) as string[]).sort()) {
    hash.update(name);
    if (statSync(join(path, name)).isFile()) hash.update(readFileSync(join(path, name)));
  }
  return hash.digest('hex');
}

beforeAll(async () => {
  const parent = await folderForTheFile();
  execFileSync('tar', ['-xzf', ARCHIVE, '-C', parent]);
  folder = join(parent, 'data');
  before = digestOf(folder);
});

test('a start is refused', async () => {
  const { code, stderr } = await endOfServiceProcess({}, { folder });
  expect([code, stderr]).toEqual([1, expect.stringMatching(REFUSED)]);
  expect(digestOf(folder)).toBe(before);
});

test.each<[string, number, (target: string) => readonly string[]]>([
  ['check', 1, () => []],
  ['audit', 2, () => []],
  ['events', 2, () => []],
  ['backup', 2, (target) => [target]],
])('levy %s refuses it', async (command, code, argumentsFor) => {
  const target = join(await folderForTheFile(), 'target');
  const ended = await levy(folder, [command, ...argumentsFor(target)]);
  expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringMatching(REFUSED)]);
  expect(digestOf(folder)).toBe(before);
});
