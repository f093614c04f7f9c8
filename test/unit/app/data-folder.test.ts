// Folders of the service: those whose free space is shown, and those that tell a lost log from a first start.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { foldersOf, localStores, requireLogIsNotLost } from '../../../src/app/data-folder.ts';
import { StartRefused } from '../../../src/app/start-refusals.ts';

type Places = Parameters<typeof requireLogIsNotLost>[0];

const MONGO = { url: 'mongodb://127.0.0.1/levy' };
const ON_SERVERS = {
  eventStore: { url: 'esdb://127.0.0.1', isEmbedded: false, lacksUser: false },
  readModel: MONGO,
  imageStore: MONGO,
  ledgerStore: MONGO,
};

let folder: string;
let places: Places;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'levy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  places = {
    dataDirectory: folder,
    eventStore: { url: `sqlite:${folder}/levy.db`, isEmbedded: true, lacksUser: false },
    readModel: { url: `sqlite:${folder}/read/models.db` },
    imageStore: { url: `file:${folder}/images` },
    ledgerStore: { url: `file:${folder}/elsewhere/ledgers` },
    chain: { url: 'local:', isEmbedded: true },
    masterSeedFile: join(folder, 'master-seed'),
    jwtKeyFile: join(folder, 'keys', 'jwt-key.json'),
  };
});

function write(name: string, content = 'bytes'): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

test('stores in files have their folders and variables, and stores on servers have none', () => {
  expect([...foldersOf(places)]).toEqual([
    ['data', folder],
    ['event-store', folder],
    ['read-model', join(folder, 'read')],
    ['images', join(folder, 'images')],
    ['ledgers', join(folder, 'elsewhere/ledgers')],
  ]);
  expect(localStores(places).map(({ variable, isDatabase }) => [variable, isDatabase])).toEqual([
    ['EVENT_STORE_URL', true],
    ['READ_MODEL_URL', true],
    ['IMAGE_STORE_URL', false],
    ['LEDGER_STORE_URL', false],
  ]);
  expect([...foldersOf({ ...places, dataDirectory: '/data', ...ON_SERVERS })]).toEqual([['data', '/data']]);
});

test('a first start begins the log, and empty folders do not prevent it', () => {
  expect(() => requireLogIsNotLost(places)).not.toThrow();
  mkdirSync(join(folder, 'images'));
  write('levy.db', '');
  expect(() => requireLogIsNotLost(places)).not.toThrow();
});

test('a log that exists is not lost, whatever else exists', () => {
  for (const name of ['levy.db', 'levy.db-wal', 'master-seed']) write(name);
  expect(() => requireLogIsNotLost(places)).not.toThrow();
});

test('of a log on a server, files show nothing', () => {
  for (const name of ['chain/chain.db', 'master-seed']) write(name);
  expect(() => requireLogIsNotLost({ ...places, eventStore: ON_SERVERS.eventStore })).not.toThrow();
});

test.each([
  ['levy.db-wal', 'levy.db-wal'],
  ['read/models.db', 'read/models.db'],
  ['images', 'images/blob'],
  ['elsewhere/ledgers', 'elsewhere/ledgers/blob'],
  ['chain/chain.db', 'chain/chain.db'],
  ['master-seed', 'master-seed'],
  ['keys/jwt-key.json', 'keys/jwt-key.json'],
])('a start without the log is refused where %s exists', (remains, file) => {
  write(file);
  const reason = `The event log ${folder}/levy.db is missing, but files of a service that had one exist: ${join(folder, remains)}. Restore the log from a backup (docs/how-to/operate/back-up-and-restore.md), or correct EVENT_STORE_URL and DATA_DIR. To start again without the recorded data, move these files away first.`;
  expect(() => requireLogIsNotLost(places)).toThrow(new StartRefused(reason));
});

test('all files that remain are named', () => {
  for (const name of ['chain/chain.db', 'levy.db-wal']) write(name);
  expect(() => requireLogIsNotLost(places)).toThrow(
    `had one exist: ${folder}/levy.db-wal, ${folder}/chain/chain.db. Restore the log`,
  );
});

test('on a chain of others an operator makes the secrets before the first start: they show nothing', () => {
  for (const name of ['master-seed', 'keys/jwt-key.json', 'chain/chain.db']) write(name);
  expect(() =>
    requireLogIsNotLost({ ...places, chain: { url: 'https://node', isEmbedded: false } }),
  ).not.toThrow();
});

test('secrets outside the data folder show nothing', () => {
  write('master-seed');
  expect(() => requireLogIsNotLost({ ...places, dataDirectory: join(folder, 'data') })).not.toThrow();
});
