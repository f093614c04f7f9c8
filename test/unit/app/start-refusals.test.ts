// A start that the operating system refuses ends with one sentence: the fault, its place and the remedy.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  listenOrRefuse,
  openDatabaseFolder,
  openFolder,
  StartRefused,
} from '../../../src/app/start-refusals.ts';
import { variables } from '../../../src/operations/config/variables.ts';
import { listening } from '../../support/listening.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error,
  );

test.each([
  ['The service', variables.port, 'HOST or PORT'],
  ['The listener for metrics', variables.metrics, 'METRICS_PORT'],
])('a port that cannot be had is refused: %s', async (what, variable, names) => {
  const port = await listening(createServer());
  const where = { what, host: '127.0.0.1', port, variable };
  const listen = () =>
    new Promise((_, reject) => createServer().on('error', reject).listen(port, '127.0.0.1'));
  const failure = await failureOf(listenOrRefuse(where, listen));
  expect(failure).toBeInstanceOf(StartRefused);
  expect(failure?.message).toMatch(
    new RegExp(
      `^${what} cannot listen on 127.0.0.1, port ${port}: listen EADDRINUSE.* set ${names} to another`,
    ),
  );
  expect(await listenOrRefuse(where, async () => 'listening')).toBe('listening');
});

test('a folder that cannot be used is refused by its variable, and so is a folder in the place of a database', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  const folder = join(file, 'below');
  const make = async () => void (await mkdir(folder, { recursive: true }));
  const database = { path: join(folder, 'levy.db'), folder, variable: 'EVENT_STORE_URL' };
  for (const [name, work] of [
    ['DATA_DIR', openFolder({ folder, name: 'DATA_DIR' }, make)],
    ['EVENT_STORE_URL', openDatabaseFolder(database, make)],
  ] as const) {
    const failure = await failureOf(work);
    expect(failure).toBeInstanceOf(StartRefused);
    expect(failure?.message).toContain(`The folder "${folder}" (${name}) cannot be used: ENOTDIR: not a dir`);
  }
  await expect(openDatabaseFolder({ ...database, path: '/' }, async () => undefined)).rejects.toThrow(
    '"/" (EVENT_STORE_URL) is a folder, but must be the file of a database.',
  );
  expect(await openFolder({ folder: '/', name: 'DATA_DIR' }, async () => 'opened')).toBe('opened');
});

test('what fails for another reason fails with that', async () => {
  const where = { what: 'The service', host: '::', port: 80, variable: variables.port };
  for (const error of [new TypeError('no function'), Object.assign(new Error('closed'), { code: 'FST' })])
    for (const work of [
      listenOrRefuse(where, () => Promise.reject(error)),
      openFolder({ folder: '/srv', name: 'DATA_DIR' }, () => Promise.reject(error)),
    ])
      await expect(work).rejects.toBe(error);
});
