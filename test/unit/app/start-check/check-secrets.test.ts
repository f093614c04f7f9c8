// What a missing secret means: a start makes it, an operator makes it with the command that is told, or it has to be put back.
import { describe, expect, test } from 'vitest';
import {
  checkSecrets,
  type SecretsToCheck,
  tellMissing,
} from '../../../../src/app/start-check/check-secrets.ts';
import { reportOn } from '../../../../src/app/start-check/obstacle.ts';
import { createKeyring } from '../../../../src/chain/keys.ts';

const told = async (given: Partial<Parameters<typeof tellMissing>[0]>) => {
  const { remarks, obstacles } = await reportOn('secrets', async (findings) =>
    tellMissing(
      {
        file: '/srv/levy/seed',
        title: 'master seed',
        print: 'openssl rand -hex 32',
        mayCreate: false,
        isLogBegun: undefined,
        ...given,
      },
      findings,
    ),
  );
  return { remarks, obstacles };
};
const MAKE = '(umask 077; mkdir -p /srv/levy && openssl rand -hex 32 > /srv/levy/seed)';

test('where a start may make it, it is no obstacle', async () => {
  expect(await told({ mayCreate: true, isLogBegun: false })).toEqual({
    remarks: ['the first start makes the master seed (/srv/levy/seed)'],
    obstacles: [],
  });
});

test.each([
  ['not begun', false],
  ['not readable', undefined],
])('where the log is %s, a new service makes it and an old one puts it back', async (_what, isLogBegun) => {
  const { obstacles } = await told({ isLogBegun });
  expect(obstacles).toEqual([
    {
      problem:
        'there is no master seed file /srv/levy/seed. If this service has run before, put back the file that it ran with; for a new service make one, and keep a copy of it',
      command: MAKE,
    },
  ]);
});

test('where the log was begun with a seed, nothing but that seed helps: no command is told', async () => {
  expect((await told({ isLogBegun: true })).obstacles).toEqual([
    {
      problem:
        'there is no master seed file /srv/levy/seed, and the log was begun with one: put back that file',
    },
  ]);
});

test('where the log was begun, a new key for access tokens does too', async () => {
  expect((await told({ isLogBegun: true, title: 'JWT key' })).obstacles).toEqual([
    {
      problem:
        'there is no JWT key file /srv/levy/seed, and the log was begun with one: put back that file, or make another one: users then sign in anew',
      command: MAKE,
    },
  ]);
});

test('a folder with a blank or a quote in its name is one word of the command', async () => {
  const [obstacle] = (await told({ file: "/srv/l'evy data/seed" })).obstacles;
  expect(obstacle?.command).toBe(
    "(umask 077; mkdir -p '/srv/l'\\''evy data' && openssl rand -hex 32 > '/srv/l'\\''evy data/seed')",
  );
});

describe('which secrets are looked for', () => {
  const FILES = {
    masterSeedFile: '/none/seed',
    jwtKeyFile: '/none/key',
    eventStore: { url: 'sqlite:/none/levy.db', isEmbedded: true, lacksUser: false },
    chain: { url: 'embedded', isEmbedded: true },
    isLogBegun: false,
  } as SecretsToCheck;
  const SEED = 'the first start makes the master seed (/none/seed)';
  const KEY = 'the first start makes the JWT key (/none/key)';
  const checked = async (change: Partial<SecretsToCheck> = {}) => {
    const { remarks, obstacles } = await reportOn('secrets', async (findings) => {
      expect(await checkSecrets({ ...FILES, ...change }, findings)).toBeUndefined();
    });
    return { remarks, obstacles: obstacles.map(({ problem }) => problem) };
  };
  const rolesOf = (...names: readonly string[]) =>
    ({ roles: new Set(names) }) as unknown as Partial<SecretsToCheck>;

  test.each([
    ['all', {}, [SEED, KEY]],
    ['api', rolesOf('api'), [SEED, KEY]],
    ['settler', rolesOf('settler'), [SEED]],
    ['distributor and projector', rolesOf('distributor', 'projector'), [SEED]],
    ['projector', rolesOf('projector'), []],
  ])('depends on the roles of the process: %s', async (_what, change, remarks) => {
    expect(await checked(change)).toEqual({ remarks, obstacles: [] });
  });

  test('are those whose files are configured', async () => {
    const none = { masterSeedFile: undefined, jwtKeyFile: undefined } as unknown as Partial<SecretsToCheck>;
    expect(await checked(none)).toEqual({ remarks: [], obstacles: [] });
  });

  test.each([
    ['the log is on a server', { eventStore: { url: 'esdb://db', isEmbedded: false, lacksUser: false } }],
    ['the chain is not its own', { chain: { url: 'https://node', isEmbedded: false } }],
    ['the log was begun', { isLogBegun: true }],
    ['the log could not be read', { isLogBegun: undefined }],
    ['CHAIN_URL is wrong', { chain: undefined }],
    ['EVENT_STORE_URL is wrong', { eventStore: undefined }],
    ['neither log nor chain is known', { eventStore: undefined, chain: undefined }],
  ])('are made by no start where %s', async (_what, change) => {
    const { remarks, obstacles } = await checked(change as unknown as Partial<SecretsToCheck>);
    expect(remarks).toEqual([]);
    expect(obstacles).toEqual([
      expect.stringContaining('there is no master seed file /none/seed'),
      expect.stringContaining('there is no JWT key file /none/key'),
    ]);
  });

  test('are those for servers too, each named once', async () => {
    const how = 'write the user, a colon and the password to it, readable by its owner alone (mode 0600)';
    const change = { eventStoreCredentialsFile: '/none/store', mongoDbCredentialsFile: '/none/mongo' };
    expect((await checked(change)).obstacles).toEqual([
      `there is no EventStoreDB credentials file /none/store: ${how}`,
      `there is no MongoDB credentials file /none/mongo: ${how}`,
    ]);
    expect((await checked({ ...change, eventStoreCredentialsFile: '/none/mongo' })).obstacles).toHaveLength(
      1,
    );
  });
});

describe('secrets that are there', () => {
  const SEED = new Uint8Array(32).fill(7);
  const ALL = {
    masterSeedFile: '/srv/seed',
    jwtKeyFile: '/srv/key',
    eventStoreCredentialsFile: '/srv/store',
    mongoDbCredentialsFile: '/srv/mongo',
    isLogBegun: true,
  } as SecretsToCheck;
  const EMBEDDED = {
    eventStore: { url: 'sqlite:/srv/levy.db', isEmbedded: true, lacksUser: false },
    chain: { url: 'embedded', isEmbedded: true },
  } as Partial<SecretsToCheck>;

  /** `broken`: the reading of these files fails. A file that a check would make fails the test. */
  async function checked(change: Partial<SecretsToCheck> = {}, broken: readonly string[] = []) {
    const read = async (file: string, { mayCreate } = { mayCreate: false }) => {
      expect(mayCreate).toBe(false);
      if (broken.includes(file)) throw new Error(`${file} has mode 0644`);
    };
    let keyring: unknown;
    const { remarks, obstacles } = await reportOn('secrets', async (findings) => {
      keyring = await checkSecrets({ ...ALL, ...change }, findings, {
        exists: () => true,
        readMasterSeed: async (file, options) => {
          await read(file, options);
          return { seed: SEED, created: false };
        },
        readJwtKey: async (file, options) => {
          await read(file, options);
          return { key: options.parse(JSON.stringify(await options.make())), created: false };
        },
        readCredentials: async (file) => {
          await read(file);
          return { name: 'levy', password: 'secret' };
        },
      });
    });
    return { keyring, remarks, obstacles: obstacles.map(({ problem }) => problem) };
  }

  test('are no obstacle, and the seed gives the keys that are compared with the log', async () => {
    const { keyring, remarks, obstacles } = await checked();
    expect(keyring).toMatchObject({ fingerprint: createKeyring(SEED).fingerprint });
    expect([remarks, obstacles]).toEqual([[], []]);
  });

  test('but cannot be used are each an obstacle, and without a seed there are no keys', async () => {
    const files = ['/srv/seed', '/srv/key', '/srv/store', '/srv/mongo'];
    expect(await checked({}, files)).toEqual({
      keyring: undefined,
      remarks: [],
      obstacles: files.map((file) => `${file} has mode 0644`),
    });
  });

  test('while its own log is not there hint at a log that is missing', async () => {
    const { remarks, obstacles } = await checked({ ...EMBEDDED, isLogBegun: false });
    expect(remarks).toEqual([
      'there is a master seed but no log: if this service has run before, its log is missing',
    ]);
    expect(obstacles).toEqual([]);
  });

  test.each([
    ['the log was begun', { ...EMBEDDED, isLogBegun: true }],
    ['the log could not be read', { ...EMBEDDED, isLogBegun: undefined }],
    ['store and chain are servers, where an operator makes the seed first', { isLogBegun: false }],
    ['the seed cannot be read', { ...EMBEDDED, isLogBegun: false, broken: ['/srv/seed'] }],
  ])('do not hint at it where %s', async (_what, { broken, ...change }: { broken?: string[] } & object) => {
    expect((await checked(change, broken)).remarks).toEqual([]);
  });
});
