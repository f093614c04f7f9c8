// What the operating system refuses at the start is told in a sentence: what, where, and what to do.
import { describe, expect, test } from 'vitest';
import {
  databaseFolderOrRefused,
  folderOrRefused,
  listeningOrRefused,
  refusedPort,
  StartRefused,
} from '../../../src/app/start-refusals.ts';

const failing = (code: string | undefined) => Object.assign(new Error('of the system'), { code });
const METRICS = {
  what: 'The listener for metrics',
  host: '10.0.0.1',
  port: 80,
  hostName: 'METRICS_HOST',
  portName: 'METRICS_PORT',
};
const messageOf = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => [error instanceof StartRefused, error.message],
  );

describe('a port', () => {
  const NO_RIGHT = 'the system does not let this user take the port';
  const RIGHT = 'Set METRICS_PORT to a port from 1024 on, or grant the right.';
  const NO_ADDRESS = 'this machine has no such address';
  const ADDRESS = 'Set METRICS_HOST to one that it has.';
  test.each([
    [
      'EADDRINUSE',
      'another process uses the port',
      'Stop that process, or set METRICS_PORT to another port.',
    ],
    ['EACCES', NO_RIGHT, RIGHT],
    ['EPERM', NO_RIGHT, RIGHT],
    ['EADDRNOTAVAIL', NO_ADDRESS, ADDRESS],
    ['ENOTFOUND', NO_ADDRESS, ADDRESS],
    ['EAI_AGAIN', NO_ADDRESS, ADDRESS],
  ])('that cannot be had is refused with the reason: %s', async (code, reason, remedy) => {
    const sentence = `The listener for metrics cannot listen on 10.0.0.1, port 80: ${reason} (${code}). ${remedy}`;
    const refused = listeningOrRefused(METRICS, () => Promise.reject(failing(code)));
    expect(await messageOf(refused)).toEqual([true, sentence]);
  });

  test('that fails for another reason fails with that', async () => {
    const errors = [failing('EMFILE'), failing(undefined), new TypeError('no function')];
    for (const error of errors)
      await expect(listeningOrRefused(METRICS, () => Promise.reject(error))).rejects.toBe(error);
    expect(refusedPort(METRICS, 'EADDRINUSE')).toBeUndefined();
  });

  test('that can be had is listened on', async () => {
    expect(await listeningOrRefused(METRICS, async () => 'http://10.0.0.1:80')).toBe('http://10.0.0.1:80');
  });
});

describe('a folder', () => {
  const DATA = { folder: '/srv/levy', name: 'DATA_DIR' };
  const NO_RIGHT =
    "the service's user may not write to it or to the folder above. Give it the right, or name another folder";
  const NO_FOLDER = 'a file stands where a folder should be. Move it away, or name another folder';
  test.each([
    ['EACCES', NO_RIGHT],
    ['EPERM', NO_RIGHT],
    ['EROFS', 'its file system is read-only. Mount it for writing, or name another folder'],
    ['ENOSPC', 'its disk is full. Make room'],
    ['EDQUOT', "the quota of the service's user is used up. Make room"],
    ['ENOENT', 'its file system takes no folders. Name another folder'],
    ['EEXIST', NO_FOLDER],
    ['ENOTDIR', NO_FOLDER],
    ['EIO', 'its disk fails. Repair it, or name another folder'],
  ])('that cannot be used is refused with the reason: %s', async (code, reason) => {
    expect(await messageOf(folderOrRefused(DATA, () => Promise.reject(failing(code))))).toEqual([
      true,
      `The folder "/srv/levy" (DATA_DIR) cannot be used: ${reason} (${code}).`,
    ]);
  });

  test('that fails for another reason fails with that', async () => {
    for (const error of [failing('EMFILE'), new TypeError('no function')])
      await expect(folderOrRefused(DATA, () => Promise.reject(error))).rejects.toBe(error);
  });

  test('that can be used is opened', async () => {
    expect(await folderOrRefused(DATA, async () => 'opened')).toBe('opened');
  });
});

describe('the databases in SQLite', () => {
  test('are opened in their folders, and one that cannot be is refused by its variable', async () => {
    const database = {
      path: '/no/such/place/levy.db',
      folder: '/no/such/place',
      variable: 'EVENT_STORE_URL',
    };
    const opened: string[] = [];
    await databaseFolderOrRefused(database, async (folder) => void opened.push(folder));
    expect(opened).toEqual(['/no/such/place']);
    expect(
      await messageOf(databaseFolderOrRefused(database, () => Promise.reject(failing('EROFS')))),
    ).toEqual([
      true,
      'The folder "/no/such/place" (EVENT_STORE_URL) cannot be used: its file system is read-only. Mount it for writing, or name another folder (EROFS).',
    ]);
  });

  test('are files: a folder in the place of one is refused', async () => {
    const database = { path: '/', folder: '/', variable: 'READ_MODEL_URL' };
    expect(await messageOf(databaseFolderOrRefused(database, async () => undefined))).toEqual([
      true,
      '"/" (READ_MODEL_URL) is a folder. Name a file for the database.',
    ]);
  });
});
