/** A service that was restored from a backup signs no second tree under the name that it has published. */

import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCheckpoint } from 'levy-transparency-log';
import { beforeAll, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { eventually } from '../support/eventually.ts';
import { levy } from '../support/levy-command.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { haltAndResume, noteOf, sizeIn } from '../support/signed-log.ts';

const ENVIRONMENT = {
  ROLES: 'api,projector,settler,notary',
  NONCE_ACCOUNTS_MIN: '1',
  LOG_ORIGIN: 'levy.example/log',
};

let backup: string;
/** Taken when nothing was signed any more. */
let wholeBackup: string;
/** A file with the checkpoint that was published last. */
let lastCheckpoint: string;

async function notaryOf({ url }: ServiceProcess) {
  const { checks } = (await (await fetch(`${url}/ready`)).json()) as {
    readonly checks: readonly { readonly name: string; readonly trouble?: string; readonly error?: string }[];
  };
  return checks.find(({ name }) => name === 'notary');
}

async function restored(from: string, ...options: readonly string[]) {
  const folder = await folderForTheFile();
  return { folder, ...(await levy(folder, ['restore', from, ...options])) };
}

beforeAll(async () => {
  const service = await startServiceProcess(ENVIRONMENT);
  await haltAndResume(service, 4);
  await noteOf(service, 4);
  const key = join(await folderForTheFile(), 'operator.key');
  await writeFile(key, OPERATOR_KEY, { mode: 0o600 });
  backup = join(await folderForTheFile(), 'backup');
  const args = ['--with-secrets', '--service', service.url, '--operator-key-file', key];
  expect(await levy(service.folder, ['backup', backup, ...args])).toMatchObject({ code: 0 });
  const before = sizeIn(await noteOf(service));
  await haltAndResume(service, 4);
  const note = await noteOf(service, before + 3);
  lastCheckpoint = join(await folderForTheFile(), 'last-checkpoint');
  await writeFile(lastCheckpoint, note);
  await service.stop();
  wholeBackup = join(await folderForTheFile(), 'backup');
  const whole = await levy(service.folder, ['backup', wholeBackup, '--with-secrets']);
  expect(whole).toMatchObject({ code: 0 });
});

test('the notary of a restored log stops and says what may be done; under a new name it begins a new log', async () => {
  const { folder, code, stderr } = await restored(backup);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('Set LOG_ORIGIN to a new name and inform the auditors'),
  ]);
  const service = await startServiceProcess(ENVIRONMENT, { folder });
  const published = sizeIn(await noteOf(service));
  await haltAndResume(service, 4);
  expect(await notaryOf(service)).toMatchObject({
    trouble: 'restored',
    error: expect.stringMatching(/levy\.example\/log was restored from a backup of 20.*LOG_ORIGIN/),
  });
  // Had it signed, readers of the first service would hold two trees of one size.
  expect(sizeIn(await noteOf(service))).toBe(published);
  await service.stop();

  const renamed = await startServiceProcess({ ...ENVIRONMENT, LOG_ORIGIN: 'levy.example/log-2' }, { folder });
  const note = await noteOf(renamed, published);
  expect(parseCheckpoint(note).checkpoint.origin).toBe('levy.example/log-2');
  await renamed.stop();
});

test.each([
  ['without its write-ahead log', async (path: string) => rm(`${path}-wal`)],
  [
    'with the write-ahead log of an older copy',
    async (path: string) => rename(`${path}.older-wal`, `${path}-wal`),
  ],
])('the notary of a log that was killed and is opened %s stops: the log lacks what was signed', async (_what, change) => {
  const service = await startServiceProcess(ENVIRONMENT);
  const path = join(service.folder, 'levy.db');
  await haltAndResume(service, 2);
  await noteOf(service, 2);
  await copyFile(`${path}-wal`, `${path}.older-wal`);
  const before = sizeIn(await noteOf(service));
  await haltAndResume(service, 6);
  await noteOf(service, before + 5);
  await service.stop('SIGKILL');
  await change(path);
  const again = await startServiceProcess(ENVIRONMENT, { folder: service.folder });
  const trouble = await eventually('it compares', async () => {
    const notary = await notaryOf(again);
    return notary?.trouble === undefined ? false : notary;
  });
  expect(trouble).toMatchObject({
    trouble: 'log',
    error: expect.stringMatching(/Entry \d+ differs|shorter than the signed tree/),
  });
  await again.stop();
});

test('a backup that has all that was published goes on with the same tree', async () => {
  const { folder, code, stderr } = await restored(wholeBackup, '--last-checkpoint', lastCheckpoint);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('LOG_ORIGIN')]);
  const service = await startServiceProcess(ENVIRONMENT, { folder });
  const size = sizeIn(await readFile(lastCheckpoint, 'utf8'));
  await haltAndResume(service, 4);
  expect(parseCheckpoint(await noteOf(service, size)).checkpoint.origin).toBe('levy.example/log');
  expect(await notaryOf(service)).toMatchObject({ state: 'signing' });
  await service.stop();
});
