// The script that makes an installation's secrets: the service takes what it makes, it overwrites nothing, and none of it is committed.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCredentials, readJwtKey, readMasterSeed } from '../../src/adapters/file/secrets.ts';
import { parseSigningKey } from '../../src/server/auth/signing-key.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { filesBelow, textOf } from '../unit/guards/source-files.ts';
import { exampleVariables, INFRA } from './operators-choices.ts';

const MADE = [
  '.env',
  'secrets/master-seed',
  'secrets/jwt-key.json',
  'secrets/event-store-credentials',
  'secrets/mongodb-credentials',
  'secrets/mongodb-key',
];

function make(folder: string): string {
  return execFileSync(process.execPath, [join(INFRA, 'make-secrets.mjs'), folder], { encoding: 'utf8' });
}

const never = { mayCreate: false, make: () => Promise.reject(new Error('nothing is made here')) };

describe('what it makes', () => {
  test('is a seed and a key that the service takes', async () => {
    const folder = await temporaryFolder();
    make(folder);
    const { seed } = await readMasterSeed(join(folder, 'secrets/master-seed'), never);
    expect(seed).toHaveLength(32);
    await readJwtKey(join(folder, 'secrets/jwt-key.json'), { ...never, parse: parseSigningKey });
  });

  test('is the example with passwords filled in that fit into an address and are no numbers', async () => {
    const folder = await temporaryFolder();
    make(folder);
    const lines = readFileSync(join(folder, '.env'), 'utf8').split('\n');
    const passwords = Object.keys(exampleVariables).filter((name) => name.endsWith('_PASSWORD'));
    for (const name of passwords)
      expect(lines).toContainEqual(expect.stringMatching(`^${name}=p[\\w-]{32}$`));
    const rest = (text: readonly string[]) => text.filter((line) => !/_PASSWORD=/.test(line));
    expect(rest(lines)).toEqual(rest(readFileSync(join(INFRA, '.env.example'), 'utf8').split('\n')));
  });

  test('has one password for the administrator of the event store, here and there', async () => {
    const folder = await temporaryFolder();
    make(folder);
    const { name, password } = await readCredentials(
      join(folder, 'secrets/event-store-credentials'),
      'credentials',
    );
    expect(name).toBe('admin');
    expect(readFileSync(join(folder, '.env'), 'utf8')).toContain(
      `\nEVENT_STORE_ADMIN_PASSWORD=${password}\n`,
    );
  });

  test('is for its owner alone', async () => {
    const folder = await temporaryFolder();
    make(folder);
    for (const file of MADE) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  test('is other secrets every time', async () => {
    const folders = [await temporaryFolder(), await temporaryFolder()];
    folders.map(make);
    for (const file of MADE) {
      const [one, other] = folders.map((folder) => readFileSync(join(folder, file), 'utf8'));
      expect(one).not.toBe(other);
    }
  });
});

test('what is there is left as it is', async () => {
  const folder = await temporaryFolder();
  make(folder);
  const before = MADE.map((file) => readFileSync(join(folder, file), 'utf8'));
  const said = make(folder);
  expect(MADE.map((file) => readFileSync(join(folder, file), 'utf8'))).toEqual(before);
  expect(said.match(/left as it is/g)).toHaveLength(MADE.length);
});

test('nothing that is tracked under infra holds a secret', () => {
  const tracked = execFileSync('git', ['ls-files', 'infra'], { cwd: join(INFRA, '..'), encoding: 'utf8' });
  const files = tracked.split('\n').filter(Boolean);
  expect(files.filter((file) => /(^|\/)(\.env|secrets|certificates)(\/|$)/.test(file))).toEqual([]);
  expect(files.filter((file) => /\.(key|crt|pem|creds)$/.test(file))).toEqual([]);
  const texts = filesBelow('infra', '').filter((file) => files.includes(file));
  expect(texts.length).toBeGreaterThan(5);
  for (const file of texts) {
    expect(textOf(file)).not.toMatch(/PRIVATE KEY|\b[0-9a-f]{64}\b|"d":/);
  }
});
