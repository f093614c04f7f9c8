// The folders whose free space is shown, and those that tell a lost log from a first start, come from one list.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileFolders, foldersOf } from '../../../src/app/data-folders.ts';
import { lostLog } from '../../../src/app/lost-log.ts';

const FILES = {
  dataDirectory: '/data',
  eventStore: { url: 'sqlite:/data/levy.db', isEmbedded: true, lacksUser: false },
  readModel: { url: 'sqlite:/read/models.db' },
  imageStore: { url: 'file:/data/images' },
  ledgerStore: { url: 'file:/elsewhere/ledgers' },
};

test('stores in files have their folders, and stores on servers have none', () => {
  expect([...foldersOf(FILES)]).toEqual([
    ['data', '/data'],
    ['event-store', '/data'],
    ['read-model', '/read'],
    ['images', '/data/images'],
    ['ledgers', '/elsewhere/ledgers'],
  ]);
  const mongo = { url: 'mongodb://127.0.0.1/levy' };
  const servers = {
    eventStore: { url: 'esdb://127.0.0.1', isEmbedded: false, lacksUser: false },
    readModel: mongo,
    imageStore: mongo,
    ledgerStore: mongo,
  };
  expect([...foldersOf({ dataDirectory: '/data', ...servers })]).toEqual([['data', '/data']]);
  expect([...fileFolders({})]).toEqual([]);
});

test('a log is lost where one of these folders holds something and the log is not there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'levy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const eventStore = { url: `sqlite:${folder}/none/levy.db`, isEmbedded: true, lacksUser: false };
  const stores = {
    images: { imageStore: { url: `file:${folder}` } },
    ledgers: { ledgerStore: { url: `file:${folder}` } },
  };
  for (const store of Object.values(stores)) expect(lostLog({ eventStore, ...store })).toBeUndefined();
  writeFileSync(join(folder, 'file'), '');
  for (const store of Object.values(stores)) expect(lostLog({ eventStore, ...store })).toContain(folder);
  expect(lostLog({ eventStore: { ...eventStore, isEmbedded: false }, ...stores.images })).toBeUndefined();
});
