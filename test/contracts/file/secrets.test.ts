import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  readCredentials,
  readJwtKey,
  readMasterSeed,
  SecretFileError,
} from '../../../src/adapters/file/secrets.ts';
import { createKey, parseSigningKey } from '../../../src/server/auth/signing-key.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SEED = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';

let parent: string;
let file: string;

beforeEach(async () => {
  parent = await temporaryFolder();
  file = join(parent, 'data', 'secrets', 'secret');
});

async function put(content: string, mode = 0o600): Promise<void> {
  await mkdir(join(parent, 'data', 'secrets'), { recursive: true });
  await writeFile(file, content, { mode });
  await chmod(file, mode);
}

async function refusal(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SecretFileError)) throw new Error(`not refused as a secret: ${String(error)}`);
  return error.message;
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

const neverMade = () => Promise.reject(new Error('must not be called'));

const key = (mayCreate: boolean) => ({ mayCreate, make: createKey, parse: parseSigningKey });

describe('the master seed', () => {
  test('is made on a first start, for its owner alone, with nothing left over beside it', async () => {
    const { seed, created } = await readMasterSeed(file, { mayCreate: true });
    expect(created).toBe(true);
    expect(seed).toHaveLength(32);
    expect(await readFile(file, 'utf8')).toBe(`${Buffer.from(seed).toString('hex')}\n`);
    expect(await modeOf(file)).toBe(0o600);
    expect(await modeOf(join(parent, 'data'))).toBe(0o700);
    expect(await modeOf(join(parent, 'data', 'secrets'))).toBe(0o700);
    expect(await readdir(join(parent, 'data', 'secrets'))).toEqual(['secret']);
  });

  test('is the same at the next start, and not overwritten', async () => {
    const first = await readMasterSeed(file, { mayCreate: true });
    for (const mayCreate of [true, false]) {
      expect(await readMasterSeed(file, { mayCreate })).toEqual({ seed: first.seed, created: false });
    }
  });

  test('is one when several make it at once, and one of them made it', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => readMasterSeed(file, { mayCreate: true })),
    );
    expect(new Set(all.map(({ seed }) => Buffer.from(seed).toString('hex'))).size).toBe(1);
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    expect(await readdir(join(parent, 'data', 'secrets'))).toEqual(['secret']);
  });

  test('that is missing where it may not be made stops the start and says what to do', async () => {
    const message = await refusal(readMasterSeed(file, { mayCreate: false }));
    expect(message).toContain(`the master seed file ${file} does not exist`);
    expect(message).toContain(`(umask 077; mkdir -p ${dirname(file)} && openssl rand -hex 32 > ${file})`);
    await expect(stat(join(parent, 'data'))).rejects.toThrow('ENOENT');
  });

  test('made as the message says is accepted', async () => {
    const message = await refusal(readMasterSeed(file, { mayCreate: false }));
    const command = message.slice(message.indexOf('(umask')).replace('openssl rand -hex 32', `echo ${SEED}`);
    execFileSync('sh', ['-c', command]);
    expect((await readMasterSeed(file, { mayCreate: false })).seed).toEqual(
      Uint8Array.from(Buffer.from(SEED, 'hex')),
    );
  });

  test.each([
    0o640, 0o604, 0o644, 0o660, 0o610, 0o601, 0o602, 0o777,
  ])('with mode %o is refused', async (mode) => {
    await put(`${SEED}\n`, mode);
    const message = await refusal(readMasterSeed(file, { mayCreate: true }));
    expect(message).toContain(`chmod 600 ${file}`);
    expect(message).toContain(`mode 0${mode.toString(8)}`);
    expect(await readFile(file, 'utf8')).toBe(`${SEED}\n`);
  });

  test.each([0o600, 0o400])('with mode %o is accepted', async (mode) => {
    await put(`${SEED}\n`, mode);
    expect(Buffer.from((await readMasterSeed(file, { mayCreate: false })).seed).toString('hex')).toBe(SEED);
  });

  test('may lack its line end, have one of Windows, or be in upper case', async () => {
    for (const content of [SEED, `${SEED}\r\n`, `${SEED.toUpperCase()}\n`]) {
      await put(content);
      expect(Buffer.from((await readMasterSeed(file, { mayCreate: false })).seed).toString('hex')).toBe(SEED);
    }
  });

  test.each([
    ['nothing', ''],
    ['a line end', '\n'],
    ['a digit too few', SEED.slice(1)],
    ['a byte too few', SEED.slice(2)],
    ['a byte too many', `${SEED}00`],
    ['a letter that is no digit', `g${SEED.slice(1)}`],
    ['two seeds', `${SEED}\n${SEED}\n`],
    ['raw bytes', '\x00\x01\x02\x03'.repeat(8)],
    ['base58', '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'],
    ['all zeros', '0'.repeat(64)],
    ['too much to be one', 'ab'.repeat(100_000)],
  ])('is refused if the file holds %s, which stays as it is and is not repeated', async (_what, content) => {
    await put(content);
    const message = await refusal(readMasterSeed(file, { mayCreate: true }));
    expect(message).toContain(file);
    if (content.trim().length > 8) expect(message).not.toContain(content.trim().slice(0, 8));
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  test('is refused if the path is a directory or a pipe', async () => {
    await mkdir(file, { recursive: true, mode: 0o700 });
    expect(await refusal(readMasterSeed(file, { mayCreate: true }))).toContain('not a regular file');
    const pipe = join(parent, 'pipe');
    execFileSync('mkfifo', ['-m', '600', pipe]);
    expect(await refusal(readMasterSeed(pipe, { mayCreate: true }))).toContain('not a regular file');
  });

  test('may be a link to a file, as mounted secrets are, whose mode then counts', async () => {
    await put(`${SEED}\n`);
    const linked = join(parent, 'linked');
    await symlink(file, linked);
    expect((await readMasterSeed(linked, { mayCreate: false })).created).toBe(false);
    await chmod(file, 0o644);
    expect(await refusal(readMasterSeed(linked, { mayCreate: false }))).toContain('chmod 600');
  });
});

describe('the JWT key', () => {
  test('is made on a first start, for its owner alone, and read at the next', async () => {
    const first = await readJwtKey(file, key(true));
    expect(first.created).toBe(true);
    expect(await modeOf(file)).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(first.key);
    for (const mayCreate of [true, false]) {
      const again = await readJwtKey(file, { ...key(mayCreate), make: neverMade });
      expect(again).toEqual({ key: first.key, created: false });
    }
  });

  test.each([
    '',
    'null',
    '{"kty":"oct","k":"c2VjcmV0"}',
    '{"kty":',
  ])('that is none is refused, left as it is and not repeated: %s', async (content) => {
    await put(content);
    const message = await refusal(readJwtKey(file, key(true)));
    expect(message).toContain(`the JWT key file ${file} cannot be used: the JWT key`);
    expect(message).not.toContain('c2VjcmV0');
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  test('that cannot be made leaves no file', async () => {
    await refusal(readJwtKey(file, { ...key(true), make: neverMade }));
    expect(await readdir(join(parent, 'data', 'secrets'))).toEqual([]);
  });
});

describe('a user and a password', () => {
  test('stand in one line, with a colon between; the password may hold more of them', async () => {
    await put('levy:p:w d\n');
    expect(await readCredentials(file, 'database')).toEqual({ name: 'levy', password: 'p:w d' });
  });

  test.each(['', 'hunter2', ':hunter2', 'a:hunter2\nb:hunter2'])('are refused as %j', async (content) => {
    await put(content);
    const message = await refusal(readCredentials(file, 'database'));
    expect(message).toContain(`the database file ${file} must contain`);
    expect(message).not.toContain('hunter2');
  });

  test('are refused where others may read them, and where there are none', async () => {
    expect(await refusal(readCredentials(file, 'database'))).toBe(`the database file ${file} does not exist`);
    await put('levy:hunter2', 0o644);
    expect(await refusal(readCredentials(file, 'database'))).toContain(`chmod 600 ${file}`);
  });
});
