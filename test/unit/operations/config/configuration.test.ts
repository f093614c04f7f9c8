// Each variable is read as it is written, or refused with its name, what was given and what is allowed.
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Configuration,
  likelyMisspelt,
  readConfiguration,
} from '../../../../src/operations/config/configuration.ts';
import { percentage } from '../../../../src/operations/config/value-kinds.ts';
import { variables } from '../../../../src/operations/config/variables.ts';
import { configurationRefusal } from '../../../support/configuration-refusal.ts';

const refusedVariables = (env: NodeJS.ProcessEnv) =>
  configurationRefusal(env).problems.map(({ variable }) => variable);

const SHARED_LOG = { EVENT_STORE_URL: 'esdb://127.0.0.1:2113?tls=false' };
const SHARED_READ_MODEL = { READ_MODEL_URL: 'mongodb://db/levy' };
const PUBLIC_CHAIN = { CHAIN_URL: 'https://rpc.example.com/key' };
const ON_PUBLIC_CHAIN = { ...PUBLIC_CHAIN, PUBLIC_URL: 'https://levy.example.com' };
const PROGRAM = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
const OTHER_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

const sqlite = (path: string) => ({ url: `sqlite:${path}`, isEmbedded: true, lacksUser: false });
const server = (url: string) => ({ url, isEmbedded: false, lacksUser: false });
const rolesOf = (...names: readonly string[]) => new Set(names) as Configuration['roles'];

describe('an empty environment', () => {
  test('is a service by itself in ./data, on a chain of its own', () => {
    expect(readConfiguration({})).toMatchObject({
      dataDirectory: resolve('data'),
      eventStore: sqlite(resolve('data/levy.db')),
      roles: rolesOf('api', 'projector', 'settler', 'publisher', 'distributor', 'notary'),
      chain: { url: 'local:', isEmbedded: true },
      localChainFiles: { programs: [], accounts: [] },
      publicUrl: undefined,
      operatorKeys: [],
      rateLimits: {},
      deskMarketCap: 100_000_000_000n,
      embedded: true,
    });
  });

  test('and one of empty and blank variables are alike, and other variables do not matter', () => {
    expect(
      readConfiguration({ PORT: '', PUBLIC_URL: ' ', ALLOWED_ORIGINS: '\t', OTHER: 'x', HOME: '/root' }),
    ).toEqual(readConfiguration({}));
  });
});

const ESDB = 'esdb://admin:change%40it@db.example.com:2113,db2?keepAliveTimeout=500';
const MONGODB = 'mongodb://levy:change%40it@db1:27017,db2/levy?replicaSet=rs0';
/** With it, the address of metadata has the 97 bytes that every creation leaves it. */
const LONGEST = `https://levy.example.com/${'x'.repeat(97 - 25 - '/metadata/.json'.length - 44)}`;
const ISSUER = {
  issuer: 'https://id.example.com',
  jwksUrl: 'https://id.example.com/jwks.json',
  algorithms: ['ES256' as const],
  audience: 'levy',
  walletClaim: 'sub',
};
const onPublicChain = (publicUrl: string): [NodeJS.ProcessEnv, Partial<Configuration>] => [
  { ...PUBLIC_CHAIN, PUBLIC_URL: publicUrl },
  { publicUrl },
];
const witnessedBy = (url: string): [NodeJS.ProcessEnv, Partial<Configuration>] => [
  { ...ON_PUBLIC_CHAIN, CHAIN_WITNESS_URL: url },
  { chainWitness: { url, isEmbedded: false } as Configuration['chain'] },
];

test.each<[NodeJS.ProcessEnv, Partial<Configuration>]>([
  // Defaults that follow other variables.
  [
    { DATA_DIR: '/srv/my data/100%/a?b#c' },
    {
      eventStore: sqlite('/srv/my data/100%/a?b#c/levy.db'),
      readModel: { url: 'sqlite:/srv/my data/100%/a?b#c/levy-read-model.db' },
      imageStore: { url: 'file:/srv/my data/100%/a?b#c/images' },
      ledgerStore: { url: 'file:/srv/my data/100%/a?b#c/ledgers' },
      masterSeedFile: '/srv/my data/100%/a?b#c/master-seed',
      jwtKeyFile: '/srv/my data/100%/a?b#c/jwt-key.json',
    },
  ],
  [{ EVENT_STORE_URL: 'sqlite:/a/b.db' }, { readModel: { url: 'sqlite:/a/b-read-model.db' } }],
  [{ EVENT_STORE_URL: 'SQLite:/a/log' }, { readModel: { url: 'sqlite:/a/log-read-model.db' } }],
  [{ EVENT_STORE_URL: ESDB }, { readModel: { url: `sqlite:${resolve('data/read-model.db')}` } }],
  [{ EVENT_STORE_URL: ESDB, READ_MODEL_URL: 'sqlite:/a/b.db' }, { readModel: { url: 'sqlite:/a/b.db' } }],
  // A path after the scheme is relative to the working directory or absolute.
  [{ EVENT_STORE_URL: 'sqlite:./data/x.db' }, { eventStore: sqlite(resolve('data/x.db')) }],
  [{ EVENT_STORE_URL: 'sqlite:///abs/x.db' }, { eventStore: sqlite('/abs/x.db') }],
  [{ IMAGE_STORE_URL: 'file:/abs/images/' }, { imageStore: { url: 'file:/abs/images' } }],
  // Servers.
  [{ EVENT_STORE_URL: ESDB }, { eventStore: server(ESDB), embedded: false }],
  [{ EVENT_STORE_URL: 'kurrentdb://db?tls=false' }, { eventStore: server('kurrentdb://db?tls=false') }],
  [
    { EVENT_STORE_URL: 'esdb://db', EVENT_STORE_CREDENTIALS_FILE: 'user' },
    { eventStore: { ...server('esdb://db'), lacksUser: true } },
  ],
  [{ EVENT_STORE_PREFIX: 'Levy_2' }, { eventStorePrefix: 'Levy_2' }],
  [{ READ_MODEL_URL: MONGODB }, { readModel: { url: MONGODB } }],
  [{ IMAGE_STORE_URL: MONGODB }, { imageStore: { url: MONGODB } }],
  // The chain is local, or a node; embedded means that it is local.
  [ON_PUBLIC_CHAIN, { chain: { url: 'https://rpc.example.com/key', isEmbedded: false }, embedded: false }],
  [
    { ...ON_PUBLIC_CHAIN, CHAIN_URL: 'http://10.0.0.7:8899/key?x=1' },
    { chain: { url: 'http://10.0.0.7:8899/key?x=1', isEmbedded: false } },
  ],
  witnessedBy('http://10.0.0.7:8899'),
  witnessedBy('https://rpc.example.com/other'),
  // On the local chain any address is public; on another the host has to be.
  [{ PUBLIC_URL: 'http://localhost:3000/' }, { publicUrl: 'http://localhost:3000' }],
  [{ PUBLIC_URL: 'https://Levy.Example.com:443/api//' }, { publicUrl: 'https://levy.example.com/api' }],
  [{ PUBLIC_URL: `https://a/${'x'.repeat(100)}` }, { publicUrl: `https://a/${'x'.repeat(100)}` }],
  onPublicChain('https://example.org:8443/api'),
  onPublicChain('https://93.184.216.34'),
  onPublicChain('https://[2606:2800:220:1::1]'),
  onPublicChain(LONGEST),
  [{ ...PUBLIC_CHAIN, PUBLIC_URL: `${LONGEST}/` }, { publicUrl: LONGEST }],
  // Durations have a unit, and are milliseconds.
  [{ SETTLE_DEADLINE: '250ms' }, { settleDeadlineMs: 250 }],
  [{ SETTLE_DEADLINE: '30s' }, { settleDeadlineMs: 30_000 }],
  [{ SETTLE_DEADLINE: ' 5m ' }, { settleDeadlineMs: 300_000 }],
  [{ SETTLE_DEADLINE: '24h' }, { settleDeadlineMs: 86_400_000 }],
  [{ DISTRIBUTION_ANNOUNCE: '0s' }, { distributionAnnounceMs: 0 }],
  // Amounts are digits up to u64.
  [{ PRIORITY_FEE_MAX: '9007199254740993' }, { priorityFeeMax: 9007199254740993n }],
  [{ PRIORITY_FEE_MAX: '18446744073709551615' }, { priorityFeeMax: 18446744073709551615n }],
  [{ DISTRIBUTION_SELF_COSTS_PER_DAY: '7' }, { distributionSelfCostsPerDay: 7n }],
  [{ MAX_TRANSFER_FEE_PERCENT: '7.5' }, { maxTransferFeeBasisPoints: 750 }],
  // Whole numbers and choices.
  [{ DISTRIBUTION_TOKENS_AT_ONCE: '1000' }, { distributionTokensAtOnce: 1_000 }],
  [{ DISTRIBUTION_HOLDING: 'least-of-two' }, { distributionHolding: 'least-of-two' }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  [
    { NONCE_ACCOUNTS_MIN: '7', NONCE_ACCOUNTS_MAX: '7' },
    { nonceAccountsMin: 7, nonceAccountsMax: 7 },
  ],
  // Addresses to listen on.
  [{ PORT: '0' }, { port: 0 }],
  [{ PORT: '65535' }, { port: 65_535 }],
  [{ HOST: '::1' }, { host: '::1' }],
  [{ HOST: 'a-b.example.com' }, { host: 'a-b.example.com' }],
  [{ METRICS_PORT: '0' }, { metrics: { host: '127.0.0.1', port: 0 } }],
  [{ METRICS_PORT: '0.0.0.0:9464' }, { metrics: { host: '0.0.0.0', port: 9_464 } }],
  [{ METRICS_PORT: '[::]:9464' }, { metrics: { host: '::', port: 9_464 } }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }, { otlpEndpoint: 'http://127.0.0.1:4318' }],
  // Files of secrets are given by their path.
  [{ MASTER_SEED_FILE: 'secrets/seed' }, { masterSeedFile: resolve('secrets/seed') }],
  // Lists.
  [
    { ALLOWED_ORIGINS: ' https://a.com , http://localhost:5173,https://*.preview.example:8443' },
    { allowedOrigins: ['https://a.com', 'http://localhost:5173', 'https://*.preview.example:8443'] },
  ],
  [
    { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1,fd00::/8' },
    { trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'] },
  ],
  [
    {
      LOCAL_CHAIN_ACCOUNTS: `/b/c.json,${PROGRAM} = /programs/a=b.so , ${OTHER_PROGRAM}=other one.so, d e.json`,
    },
    {
      localChainFiles: {
        programs: [
          { programId: PROGRAM, file: '/programs/a=b.so' },
          { programId: OTHER_PROGRAM, file: resolve('other one.so') },
        ],
        accounts: ['/b/c.json', resolve('d e.json')],
      },
    },
  ],
  [{ RATE_LIMITS: 'on' }, { rateLimits: {} }],
  [{ RATE_LIMITS: 'off' }, { rateLimits: undefined }],
  [
    { RATE_LIMITS: 'general=300/15m,featured=10/h, sign-in = 1 / 90s ' },
    {
      rateLimits: {
        general: { quota: 300, windowSeconds: 900 },
        featured: { quota: 10, windowSeconds: 3_600 },
        'sign-in': { quota: 1, windowSeconds: 90 },
      },
    },
  ],
  [{ ACCEPTED_ISSUERS: JSON.stringify([ISSUER]) }, { acceptedIssuers: [ISSUER] }],
  // The roles of a process are named, in any order; some need others, or stores that other processes read.
  [
    { ...SHARED_LOG, ROLES: 'publisher, settler' },
    { roles: rolesOf('settler', 'publisher'), publisher: undefined },
  ],
  [{ ...SHARED_LOG, ROLES: 'distributor' }, { roles: rolesOf('distributor') }],
  [{ ...SHARED_LOG, ROLES: 'projector,api' }, { roles: rolesOf('projector', 'api') }],
  [{ ...SHARED_LOG, ROLES: 'projector,settler' }, { roles: rolesOf('projector', 'settler') }],
  [{ ...SHARED_LOG, ...SHARED_READ_MODEL, ROLES: 'projector' }, { roles: rolesOf('projector') }],
  [{ ...SHARED_LOG, ...SHARED_READ_MODEL, ROLES: 'api' }, { roles: rolesOf('api') }],
  [
    { ...SHARED_READ_MODEL, ROLES: 'api,settler,projector' },
    { roles: rolesOf('api', 'settler', 'projector') },
  ],
  [{ ROLES: 'api,settler' }, { roles: rolesOf('api', 'settler') }],
  [{ ...SHARED_LOG, ROLES: 'publisher', PUBLISHER_URL: 'nats://bus' }, { roles: rolesOf('publisher') }],
])('%o is read', (env, expected) => {
  expect(readConfiguration(env)).toMatchObject(expected);
});

test.each<[string, readonly string[], NodeJS.ProcessEnv?]>([
  // Paths that would not mean what they say, and servers of no release.
  [
    'EVENT_STORE_URL',
    ['sqlite:', 'sqlite::memory:', 'sqlite://data/x.db', 'sqlite:./data/', 'x.db', 'file:x.db'],
  ],
  ['EVENT_STORE_URL', ['nats://db', 'postgres://db', 'mongodb://db', 'https://db', 'nonsense']],
  ['IMAGE_STORE_URL', ['file:', 'file://images', '../../server/images', 'sqlite:x']],
  ['EVENT_STORE_PREFIX', ['a.b', 'a-b', '$a', 'a b', 'ü', 'x'.repeat(33)]],
  ['READ_MODEL_URL', ['mongodbs://db']],
  ['READ_MODEL_URL', ['sqlite:/a/../a/b.db'], { EVENT_STORE_URL: 'sqlite:/a/b.db' }],
  ['CHAIN_URL', ['local', 'local:8899', 'mainnet', 'ws://node', 'https://', 'http:node', 'https://a b']],
  // A public address is not judged as long as the chain is unknown.
  ['CHAIN_URL', ['nonsense'], { PUBLIC_URL: 'http://localhost' }],
  ['CHAIN_WITNESS_URL', ['local:', 'wss://node', 'node', 'https://', 'file:/x'], ON_PUBLIC_CHAIN],
  ['PUBLIC_URL', ['levy.example.com', 'ftp://a.com', 'https://', 'https:a.com', 'https://u:p@a.com']],
  ['PUBLIC_URL', ['https://a.com?x', 'https://a.com/#', 'https://a.com:99999']],
  // On another than the local chain it is set, with https and a host that everybody reaches, however that is written.
  ['PUBLIC_URL', ['', 'http://levy.example.com', 'https://levy', 'https://levy.test'], PUBLIC_CHAIN],
  ['PUBLIC_URL', ['https://localhost', 'https://localhost.', 'https://LOCALHOST:8443'], PUBLIC_CHAIN],
  [
    'PUBLIC_URL',
    ['https://127.0.0.1', 'https://127.1', 'https://2130706433', 'https://0x7f.0.0.1'],
    PUBLIC_CHAIN,
  ],
  ['PUBLIC_URL', ['https://0.0.0.0', 'https://10.1.2.3', 'https://172.31.255.255'], PUBLIC_CHAIN],
  ['PUBLIC_URL', ['https://[::1]', 'https://[::]', 'https://[fe80::1]', 'https://[fd00::1]'], PUBLIC_CHAIN],
  ['PUBLIC_URL', ['https://[::ffff:10.0.0.1]', 'https://[64:ff9b::a00:1]'], PUBLIC_CHAIN],
  // Its length is that of what is sent: an umlaut in a path is six bytes.
  ['PUBLIC_URL', [LONGEST.replace(/x$/, 'ü')], PUBLIC_CHAIN],
  ['SETTLE_DEADLINE', ['0s', '25h', '30', '1.5s', '-1s', '1 s', '5M', '1d', '05s', 's', '1e3ms']],
  ['DISTRIBUTION_ANNOUNCE', ['0', '169h', '-1s']],
  ['PRIORITY_FEE_MAX', ['18446744073709551616', '-1', '1.0', '1e6', '0x10', '01', '1_000']],
  ['MAX_TRANSFER_FEE_PERCENT', ['100.01', '101', '999', '-1', '1.234', '.5', '5.', '5%', '1e1', '05']],
  ['DISTRIBUTION_TOKENS_AT_ONCE', ['0', '1001']],
  ['DISTRIBUTION_HOLDING', ['then', 'Now', 'least']],
  ['PORT', ['65536', '-1', '3000.0', '0x10', '03', 'http', '3000x']],
  ['HOST', ['[::1]', '256.1.1.1', 'http://x', 'a b', 'a..b', '-a', 'a:80', '/tmp/socket']],
  ['METRICS_PORT', ['65536', 'on', ':9464', '127.0.0.1:', '127.0.0.1:65536', 'http://x:1', ':::9464']],
  ['METRICS_PORT', ['[127.0.0.1:1', '0.0.0.0']],
  ['MASTER_SEED_FILE', ['ab'.repeat(32), '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM', '[1,2,3]']],
  ['ALLOWED_ORIGINS', ['*', 'null', 'app.example.com', 'https://a.com/', 'https://a.com/x', 'https://A.com']],
  ['ALLOWED_ORIGINS', ['https://a.com:443', 'https://a.com,', 'https://u@a.com', 'chrome-extension://abc']],
  ['ALLOWED_ORIGINS', ['https://*', 'https://*example.com', 'https://app.*.com', 'https://*.*.com']],
  [
    'TRUSTED_PROXIES',
    ['true', 'loopback', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '10.0.0.0/', '10.0.0.0/-1'],
  ],
  ['TRUSTED_PROXIES', ['10.0.0.0/8/8', 'fe80::1%eth0']],
  ['LOCAL_CHAIN_ACCOUNTS', [`${PROGRAM}=`, '=venue.so', `a.so=${PROGRAM}`, `${PROGRAM.slice(1)}=a.so`]],
  ['LOCAL_CHAIN_ACCOUNTS', [`${PROGRAM}=a.so,`, `${PROGRAM}=a.so,${PROGRAM}=b.so`, ',', 'a.json,,b.json']],
  ['RATE_LIMITS', ['ON', '1', 'false', 'general', 'general=100', 'general=/15m', 'general=0/15m']],
  [
    'RATE_LIMITS',
    ['general=1000001/h', 'general=1.5/h', 'general=10/0s', 'general=10/500ms', 'general=10/25h'],
  ],
  ['RATE_LIMITS', ['general=10/day', 'general=10/h,', 'general=10/h,general=20/h']],
  ['RATE_LIMITS', ['unknown=10/h', 'toString=10/h', 'none=10/h']],
  [
    'ACCEPTED_ISSUERS',
    ['{}', 'x', JSON.stringify([ISSUER, ISSUER]), JSON.stringify([{ ...ISSUER, issuer: '' }])],
  ],
  ['ACCEPTED_ISSUERS', [JSON.stringify([{ ...ISSUER, jwksUrl: 'http://id.example.com/jwks.json' }])]],
  ['ROLES', ['worker', 'api,', 'API', 'api settler'], SHARED_LOG],
  // Nobody keeps read models in a file that nobody reads.
  ['ROLES', ['projector', 'projector,publisher'], SHARED_LOG],
  // The one process that a log in a file belongs to answers, settles, and writes shared read models.
  ['ROLES', ['api', 'settler', 'publisher', 'distributor', 'api,projector,publisher']],
  ['ROLES', ['api,settler'], SHARED_READ_MODEL],
  // A process that only publishes needs the address of the bus.
  ['PUBLISHER_URL', ['', 'http://bus'], { ...SHARED_LOG, ROLES: 'publisher' }],
])('%s is refused as any of %j', (name, texts, others = {}) => {
  for (const text of texts) expect(refusedVariables({ ...others, [name]: text }), text).toEqual([name]);
});

test('the highest tax has two decimals, is exact, and ends at a hundred', () => {
  for (let basisPoints = 0; basisPoints <= 10_000; basisPoints += 1)
    expect(percentage.parse(String(basisPoints / 100))).toBe(basisPoints);
});

describe('what is wrong', () => {
  test('is listed all at once, each with what was given and what is allowed', () => {
    const error = configurationRefusal({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      SETTLE_DEADLINE: '5 minutes',
      RATE_LIMITS: 'true',
      CHAIN_URL: 'https://rpc.example.com',
    });
    expect(error.message.split('\n')).toEqual([
      'invalid configuration:',
      '- PORT is "70000". Allowed: a whole number from 0 to 65535.',
      '- RATE_LIMITS is "true": "true" is not a valid item. Allowed: `on`, `off`, or a comma-separated list, each item a policy name, `=`, the number of calls (1 to 1000000), `/` and the period (1s to 24h; `h` is `1h`).',
      '- SETTLE_DEADLINE is "5 minutes": write it like `250ms`, `30s`, `5m` or `24h`. Allowed: a duration from 1ms to 24h.',
      '- LOG_LEVEL is "loud". Allowed: one of `fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`.',
      '- PUBLIC_URL is not set: it must be set unless the chain is `local:`, because it is written into every token. ' +
        'Allowed: an http(s) address without user, query or fragment.',
    ]);
  });

  test('never shows what could be a secret', () => {
    const seed = '5f'.repeat(32);
    const error = configurationRefusal({
      EVENT_STORE_URL: 'esdb://admin:?hunter2@db:2113',
      READ_MODEL_URL: 'mongodbs://levy:hunter2@db.example.com',
      IMAGE_STORE_URL: 'hunter2',
      LEDGER_STORE_URL: 'mysql://admin:hunter2@db',
      CHAIN_URL: 'wss://rpc.example.com/?api-key=hunter2',
      PUBLIC_URL: 'https://admin:hunter2 hunter2@levy.example.com',
      ALLOWED_ORIGINS: 'https://admin:hunter2@app.example.com',
      ACCEPTED_ISSUERS: '[{"secret":"hunter2"}]',
      MASTER_SEED_FILE: seed,
      JWT_KEY_FILE: '{"kty":"OKP","d":"hunter2"}',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/?key=hunter2',
    });
    expect(error.problems).toHaveLength(11);
    const everything = error.message + JSON.stringify(error.problems);
    expect(everything).not.toContain('hunter2');
    expect(everything).not.toContain(seed);
    expect(error.message).toContain('EVENT_STORE_URL is esdb:… (not shown)');
    expect(error.message).toContain('IMAGE_STORE_URL is … (not shown)');
  });

  test('never has the text of a variable that may hold a key or a password', () => {
    const secret = Object.values(variables).filter(({ kind }) => 'confidential' in kind && kind.confidential);
    expect(secret.map(({ name }) => name).join(' ')).toBe(
      'EVENT_STORE_URL READ_MODEL_URL IMAGE_STORE_URL LEDGER_STORE_URL EVENT_STORE_CREDENTIALS_FILE ' +
        'MONGODB_CREDENTIALS_FILE CHAIN_URL CHAIN_WITNESS_URL MASTER_SEED_FILE JWT_KEY_FILE OPERATOR_KEYS ' +
        'PARTNER_KEYS ACCEPTED_ISSUERS PUBLISHER_URL PUBLISHER_CREDENTIALS_FILE OTEL_EXPORTER_OTLP_ENDPOINT',
    );
  });

  test('blames an address alone, not what is compared with it', () => {
    const { problems } = configurationRefusal({ CHAIN_URL: 'x', CHAIN_WITNESS_URL: 'https://other.example' });
    expect(problems.map(({ variable }) => variable)).toEqual(['CHAIN_URL']);
  });

  test('is cut when it is long, and has no line breaks', () => {
    const { message } = configurationRefusal({ HOST: `a\nb${'c'.repeat(10_000)}` });
    expect(message.length).toBeLessThan(400);
    expect(message.split('\n')).toHaveLength(2);
  });

  const itself = 'its own witness';
  test.each<[NodeJS.ProcessEnv, string]>([
    [{ NONCE_ACCOUNTS_MIN: '8', NONCE_ACCOUNTS_MAX: '7' }, 'greater than NONCE_ACCOUNTS_MAX, which is 7'],
    [{ NONCE_ACCOUNTS_MAX: '3' }, 'greater than NONCE_ACCOUNTS_MAX, which is 3'],
    [{ ...PUBLIC_CHAIN, PUBLIC_URL: `${LONGEST}xy` }, '2 bytes too long'],
    [{ ...ON_PUBLIC_CHAIN, CHAIN_WITNESS_URL: 'https://rpc.example.com/key' }, itself],
    [{ ...ON_PUBLIC_CHAIN, CHAIN_WITNESS_URL: 'HTTPS://RPC.example.com:443/key' }, itself],
    [{ ...ON_PUBLIC_CHAIN, CHAIN_WITNESS_URL: 'https://rpc.example.com/a/../key' }, itself],
    [
      { CHAIN_WITNESS_URL: 'https://other.example.com/hunter2' },
      'an embedded chain (CHAIN_URL) has only one node',
    ],
    [
      { LOCAL_CHAIN_ACCOUNTS: `${PROGRAM}=a.so,5=b.so` },
      'item 2 is not allowed: the program id must be an address',
    ],
    [{ ALLOWED_ORIGINS: 'https://a.com,*' }, 'item 2 is not allowed'],
    [
      { RATE_LIMITS: 'uploads=1/h' },
      'the policy "uploads" does not exist; the policies are general, sign-in',
    ],
    [{ ACCEPTED_ISSUERS: JSON.stringify([{ ...ISSUER, issuer: undefined }]) }, '/0/issuer'],
    [{ ...SHARED_READ_MODEL, ROLES: 'api,settler' }, 'needs the role `projector`'],
    // Addresses of EventStoreDB that would not do as they say.
    [{ EVENT_STORE_URL: 'esdb://hunter2@db?tls=false' }, 'user, a colon and a password'],
    [{ EVENT_STORE_URL: 'esdb://u:hunter2@?tls=false' }, 'must be a host name'],
    [{ EVENT_STORE_URL: 'esdb://u:hunter2@[::1]:2113?tls=false' }, 'must be a host name'],
    [{ EVENT_STORE_URL: 'esdb://u:hunter2@db:70000?tls=false' }, 'not between 1 and 65535'],
    [{ EVENT_STORE_URL: 'esdb+discover://u:hunter2@a,b' }, 'write one host'],
    [{ EVENT_STORE_URL: 'esdb://u:hunter2@db?tls=yes' }, 'must be true or false'],
    [{ EVENT_STORE_URL: 'esdb://u:hunter2@db?keepAliveTimeout=-1' }, 'keepAliveTimeout'],
    [{ EVENT_STORE_URL: 'esdb://u:hunter2@db?tlsVerifyCert=false' }, 'always verified'],
    [{ EVENT_STORE_URL: 'esdb://u:hunter2@db?nodePreference=follower' }, 'always go to the leader'],
    [
      { EVENT_STORE_URL: 'esdb://u:hunter2@db?throwOnAppendFailure=false' },
      'an unknown option; the options are tls',
    ],
    [{ EVENT_STORE_URL: 'esdb://u:hunter2@db?tls=false?tls=false' }, 'second'],
    [{ EVENT_STORE_URL: 'esdb://u:hunter2%zz@db' }, 'hexadecimal'],
    [{ EVENT_STORE_URL: 'esdb://db' }, 'requires a user and a password'],
  ])('is named with its reason: %o', (env, reason) => {
    const { problems, message } = configurationRefusal(env);
    expect(problems).toMatchObject([{ reason: expect.stringContaining(reason) }]);
    expect(message).not.toContain('hunter2');
  });
});

test('what is the same for every installation differs only for a test that says so', () => {
  const changed = readConfiguration({}, { featuredPlaces: 1 });
  expect(changed).toEqual({ ...readConfiguration({}), featuredPlaces: 1 });
});

describe('a variable that is none of the service', () => {
  test.each([
    ['PROT', 'PORT'],
    ['OPERATOR_KEY', 'OPERATOR_KEYS'],
    ['CHAIN_ULR', 'CHAIN_URL'],
    ['ROLE', 'ROLES'],
  ])('is told with the likely name: %s', (given, meant) => {
    expect(likelyMisspelt({ [given]: 'x', HOME: '/root', PATH: '/bin' })).toEqual([{ given, meant }]);
  });

  test('is left alone where it is like none, or where the likely one is set as well', () => {
    const others = ['HOME', 'PATH', 'HOSTNAME', 'TERM', 'USER', 'TZ'];
    expect(likelyMisspelt(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
    expect(likelyMisspelt({ PROT: '1', PORT: '2' })).toEqual([]);
  });
});
