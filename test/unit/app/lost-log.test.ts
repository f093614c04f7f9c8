// A start without its log is refused where anything of an earlier service is left: it would pay and sign again under the same keys.
import { expect, test } from 'vitest';
import { StartRefused } from '../../../src/app/claim-log.ts';
import { lostLog, requireLogIsNotLost } from '../../../src/app/lost-log.ts';

type Places = Parameters<typeof lostLog>[0];

const PLACES = {
  eventStore: { url: 'sqlite:/data/levy.db', isEmbedded: true, lacksUser: false },
  readModel: { url: 'sqlite:/data/read-model.db' },
  chain: { url: 'embedded', isEmbedded: true },
  dataDirectory: '/data',
  imageStore: { url: 'file:/data/images' },
  ledgerStore: { url: 'file:/elsewhere/ledgers' },
  masterSeedFile: '/data/master-seed',
  jwtKeyFile: '/data/keys/jwt-key.json',
} as unknown as Places;
const ON_A_CHAIN_OF_OTHERS = { chain: { url: 'https://node', isEmbedded: false } } as Places;

/** What is said where these are on the disk. */
const said = (paths: readonly string[], change: Places = {}) => {
  const isThere = (path: string) => paths.includes(path);
  return lostLog({ ...PLACES, ...change }, { holdsLog: isThere, holdsSomething: isThere });
};

test('given nothing, a first start begins the log', () => {
  expect(said([])).toBeUndefined();
});

test('given the log, nothing is lost, whatever else is there', () => {
  expect(said(['/data/levy.db', '/data/levy.db-wal', '/data/master-seed'])).toBeUndefined();
});

test('given a log on a server, no file tells anything', () => {
  const eventStore = { url: 'esdb://db', isEmbedded: false, lacksUser: false };
  expect(said(['/data/master-seed', '/data/images'], { eventStore })).toBeUndefined();
  expect(said(['/data/master-seed'], { eventStore: undefined } as unknown as Places)).toBeUndefined();
});

test.each([
  '/data/levy.db-wal',
  '/data/read-model.db',
  '/data/images',
  '/elsewhere/ledgers',
  '/data/chain/chain.db',
  '/data/master-seed',
  '/data/keys/jwt-key.json',
])('given %s, a start says that its log is lost', (path) => {
  expect(said([path])).toBe(
    `There is no event log /data/levy.db, but files of a service that had one: ${path}. Put back the log from a backup (docs/how-to/operate/back-up-and-restore.md), or correct EVENT_STORE_URL and DATA_DIR. To begin anew and give up what the log recorded, move these files away first.`,
  );
});

test('all that is left is named', () => {
  expect(said(['/data/chain/chain.db', '/data/levy.db-wal'])).toContain(
    'had one: /data/levy.db-wal, /data/chain/chain.db. Put back',
  );
});

test('on a chain of others an operator makes the secrets before the first start: they tell nothing', () => {
  expect(
    said(['/data/master-seed', '/data/keys/jwt-key.json', '/data/chain/chain.db'], ON_A_CHAIN_OF_OTHERS),
  ).toBeUndefined();
  expect(said(['/data/images'], ON_A_CHAIN_OF_OTHERS)).toContain('/data/images');
});

test.each([
  ['elsewhere', '/run/secrets/seed'],
  ['in a folder beside it', '/data-of-others/seed'],
  ['above it', '/seed'],
])('secrets %s may be those of another service: they tell nothing', (_where, masterSeedFile) => {
  expect(said([masterSeedFile], { masterSeedFile })).toBeUndefined();
});

test('places that were given wrongly tell nothing', () => {
  const none = { dataDirectory: undefined, masterSeedFile: undefined, jwtKeyFile: undefined };
  expect(said(['/data/master-seed'], none as unknown as Places)).toBeUndefined();
  expect(said(['undefined'], { masterSeedFile: undefined } as unknown as Places)).toBeUndefined();
});

test('the start itself is refused', () => {
  const configuration = { ...PLACES, eventStore: { ...PLACES.eventStore, url: 'sqlite:/none/levy.db' } };
  const refused = () => requireLogIsNotLost({ ...configuration, imageStore: { url: 'file:/' } } as never);
  expect(refused).toThrow(StartRefused);
  expect(refused).toThrow('There is no event log /none/levy.db, but files of a service that had one: /.');
  const nothing = { imageStore: undefined, ledgerStore: undefined, chain: undefined };
  expect(() => requireLogIsNotLost({ ...configuration, ...nothing } as never)).not.toThrow();
});
