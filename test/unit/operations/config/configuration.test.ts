import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Configuration,
  ConfigurationError,
  likelyMisspelt,
  readConfiguration,
} from '../../../../src/operations/config/configuration.ts';
import { percentage } from '../../../../src/operations/config/value-kinds.ts';

function refusal(env: NodeJS.ProcessEnv): ConfigurationError {
  try {
    readConfiguration(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(env)}`);
}

function refusedVariables(env: NodeJS.ProcessEnv): string[] {
  return refusal(env).problems.map(({ variable }) => variable);
}

/** What a variable is read as, one value after another. */
function readAs<Key extends keyof Configuration>(
  name: string,
  key: Key,
  texts: readonly string[],
): Configuration[Key][] {
  return texts.map((text) => readConfiguration({ [name]: text })[key]);
}

function expectAllRefused(name: string, texts: readonly string[], others: NodeJS.ProcessEnv = {}): void {
  for (const text of texts) expect(refusedVariables({ ...others, [name]: text }), text).toEqual([name]);
}

const SHARED_LOG = { EVENT_STORE_URL: 'esdb://127.0.0.1:2113?tls=false' };
const PUBLIC_CHAIN = { CHAIN_URL: 'https://rpc.example.com' };

describe('an empty environment', () => {
  test('is the embedded default in ./data', () => {
    expect(readConfiguration({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: undefined,
      dataDirectory: resolve('data'),
      eventStore: { url: `sqlite:${resolve('data/levy.db')}`, isEmbedded: true, lacksUser: false },
      readModel: { url: `sqlite:${resolve('data/levy-read-model.db')}` },
      eventStorePrefix: 'levy',
      caFile: undefined,
      mongoDbCredentialsFile: undefined,
      eventStoreCredentialsFile: undefined,
      roles: new Set(['api', 'projector', 'settler', 'publisher', 'distributor', 'notary']),
      leaseTtlMs: 15_000,
      publisher: undefined,
      publisherStream: 'LEVY',
      publisherSubjectPrefix: '',
      publisherCredentialsFile: undefined,
      imageStore: { url: `file:${resolve('data/images')}` },
      unusedImagesKeptMs: 86_400_000,
      ledgerStore: { url: `file:${resolve('data/ledgers')}` },
      logOrigin: undefined,
      witnesses: [],
      chain: { url: 'local:', isEmbedded: true },
      chainWitness: undefined,
      localChainPort: 0,
      localChainSlotMs: 250,
      localChainFiles: { programs: [], accounts: [] },
      masterSeedFile: resolve('data/master-seed'),
      jwtKeyFile: resolve('data/jwt-key.json'),
      jwtLifetimeSeconds: 86_400,
      acceptedIssuers: [],
      allowedOrigins: [],
      console: true,
      trustedProxies: [],
      operatorKeys: [],
      partnerKeys: [],
      maxTransferFeeBasisPoints: 1000,
      launchStartRatio: 16,
      saleMaxDiscountBasisPoints: 500,
      saleMaxImpactBasisPoints: 500,
      saleSlippageBasisPoints: 100,
      deskMarketCap: 100_000_000_000n,
      featuredPlaces: 10,
      featuredPricePerDay: 100_000_000n,
      treasury: undefined,
      observePauseMs: 15_000,
      metrics: undefined,
      otlpEndpoint: undefined,
      nonceAccountsMax: 100,
      nonceAccountsMin: 4,
      draftLifetimeKind: 'durable-nonce',
      draftLifetimeMs: 300_000,
      settleDeadlineMs: 120_000,
      settleGraceMs: 60_000,
      chainStallMs: 20_000,
      submitWaitMs: 25_000,
      claimLapseMs: 30_000,
      settlePauseMs: 300,
      priorityFeeMax: 1_000_000n,
      feePayerFloor: 10_000_000n,
      distributorFloor: 50_000_000n,
      distributionAnnounceMs: 0,
      distributionHolding: 'now',
      distributionLeastShare: 1_000n,
      distributionMinPayout: 10_000n,
      distributionCostsMaxBasisPoints: 1_000,
      distributionSelfCostsPerDay: 5_000_000n,
      distributionPots: 50,
      distributionTokensAtOnce: 16,
      distributionLagMs: 300_000,
      connectionsMax: 5_000,
      requestTimeoutMs: 30_000,
      keepAliveTimeoutMs: 72_000,
      answerTimeoutMs: 60_000,
      answersBuffer: 64 * 1024 * 1024,
      rateLimits: {},
      eventsHeartbeatMs: 15_000,
      eventsBufferBytes: 1_048_576,
      eventsSubscribersMax: 2_000,
      eventsSubscribersPerAddress: 50,
      logLevel: 'info',
      shutdownTimeoutMs: 20_000,
      embedded: true,
    });
  });

  test('and one of empty and blank variables are alike, and other variables do not matter', () => {
    expect(
      readConfiguration({ PORT: '', PUBLIC_URL: ' ', ALLOWED_ORIGINS: '\t', OTHER: 'x', HOME: '/root' }),
    ).toEqual(readConfiguration({}));
  });
});

describe('defaults that follow other variables', () => {
  test('move with the data directory', () => {
    const { eventStore, readModel, imageStore, ledgerStore, masterSeedFile, jwtKeyFile } = readConfiguration({
      DATA_DIR: '/srv/levy',
    });
    expect({ eventStore, readModel, imageStore, ledgerStore, masterSeedFile, jwtKeyFile }).toEqual({
      eventStore: { url: 'sqlite:/srv/levy/levy.db', isEmbedded: true, lacksUser: false },
      readModel: { url: 'sqlite:/srv/levy/levy-read-model.db' },
      imageStore: { url: 'file:/srv/levy/images' },
      ledgerStore: { url: 'file:/srv/levy/ledgers' },
      masterSeedFile: '/srv/levy/master-seed',
      jwtKeyFile: '/srv/levy/jwt-key.json',
    });
  });

  test('survive blanks and other odd characters in it', () => {
    const { eventStore, imageStore } = readConfiguration({ DATA_DIR: '/srv/my data/100%/a?b#c' });
    expect(eventStore).toEqual({
      url: 'sqlite:/srv/my data/100%/a?b#c/levy.db',
      isEmbedded: true,
      lacksUser: false,
    });
    expect(imageStore).toEqual({ url: 'file:/srv/my data/100%/a?b#c/images' });
  });

  test('the read models are in a file beside that of the event store, or where they are set', () => {
    expect(readConfiguration({ EVENT_STORE_URL: 'sqlite:/a/b.db' }).readModel).toEqual({
      url: 'sqlite:/a/b-read-model.db',
    });
    expect(readConfiguration({ EVENT_STORE_URL: 'SQLite:/a/log' }).readModel).toEqual({
      url: 'sqlite:/a/log-read-model.db',
    });
    const apart = readConfiguration({ EVENT_STORE_URL: 'sqlite:/a/b.db', READ_MODEL_URL: 'sqlite:/a/c.db' });
    expect(apart.eventStore).toEqual({ url: 'sqlite:/a/b.db', isEmbedded: true, lacksUser: false });
    expect(apart.readModel).toEqual({ url: 'sqlite:/a/c.db' });
  });

  test('the event store and the read models cannot be in one file', () => {
    const one = { EVENT_STORE_URL: 'sqlite:/a/b.db', READ_MODEL_URL: 'sqlite:/a/../a/b.db' };
    expect(refusedVariables(one)).toEqual(['READ_MODEL_URL']);
  });

  test('are not complained about when what they follow is wrong', () => {
    expect(refusedVariables({ EVENT_STORE_URL: 'nonsense' })).toEqual(['EVENT_STORE_URL']);
  });
});

describe('what is wrong', () => {
  test('is listed all at once, each with what was given and what is allowed', () => {
    const error = refusal({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      SETTLE_DEADLINE: '5 minutes',
      RATE_LIMITS: 'true',
      CHAIN_URL: 'https://rpc.example.com',
    });
    expect(error.problems.map(({ variable }) => variable)).toEqual([
      'PORT',
      'RATE_LIMITS',
      'SETTLE_DEADLINE',
      'LOG_LEVEL',
      'PUBLIC_URL',
    ]);
    expect(error.message.split('\n')).toEqual([
      'invalid configuration:',
      '- PORT is "70000". Allowed: a whole number from 0 to 65535.',
      '- RATE_LIMITS is "true": "true" is not such an item. Allowed: `on`, `off`, or a comma-separated list, each item a policy name, `=`, the number of calls (1 to 1000000), `/` and the period (1s to 24h; `h` is `1h`).',
      '- SETTLE_DEADLINE is "5 minutes": write it like `250ms`, `30s`, `5m` or `24h`. Allowed: a duration from 1ms to 24h.',
      '- LOG_LEVEL is "loud". Allowed: one of `fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`.',
      '- PUBLIC_URL is not set: it must be set unless the chain is `local:`, because it is written into every token. ' +
        'Allowed: an http(s) address without user, query or fragment.',
    ]);
  });

  test('includes variables that exist no more, without their values', () => {
    const error = refusal({ JWT_LIFETIME: '720h', MAX_CONNECTIONS: ' ', CLAIM_LAPSE: '4s' });
    expect(error.message.split('\n').slice(1)).toEqual(
      ['CLAIM_LAPSE', 'JWT_LIFETIME'].map(
        (name) =>
          `- ${name} is …: it is not read any more, because its value is fixed; remove it. Allowed: no value.`,
      ),
    );
  });

  test('never shows what could be a secret', () => {
    const seed = '5f'.repeat(32);
    const error = refusal({
      EVENT_STORE_URL: 'esdb://admin:?hunter2@db:2113',
      READ_MODEL_URL: 'mysql://admin:hunter2@db',
      IMAGE_STORE_URL: 'hunter2',
      CHAIN_URL: 'wss://rpc.example.com/?api-key=hunter2',
      PUBLIC_URL: 'https://admin:hunter2 hunter2@levy.example.com',
      ALLOWED_ORIGINS: 'https://admin:hunter2@app.example.com',
      ACCEPTED_ISSUERS: '[{"secret":"hunter2"}]',
      MASTER_SEED_FILE: seed,
      JWT_KEY_FILE: '{"kty":"OKP","d":"hunter2"}',
    });
    expect(error.problems).toHaveLength(9);
    const everything = error.message + JSON.stringify(error.problems);
    expect(everything).not.toContain('hunter2');
    expect(everything).not.toContain(seed);
    expect(error.message).toContain('EVENT_STORE_URL is esdb:… (not shown)');
    expect(error.message).toContain('IMAGE_STORE_URL is … (not shown)');
  });

  test('is cut when it is long, and has no line breaks', () => {
    const { message } = refusal({ HOST: `a\nb${'c'.repeat(10_000)}` });
    expect(message.length).toBeLessThan(400);
    expect(message.split('\n')).toHaveLength(2);
  });
});

describe('stores and chain', () => {
  test('a path after the scheme is relative to the working directory or absolute', () => {
    expect(
      readAs('EVENT_STORE_URL', 'eventStore', [
        'sqlite:./data/x.db',
        'sqlite:x.db',
        'sqlite:/abs/x.db',
        'sqlite:///abs/x.db',
        'SQLITE:/x',
      ]),
    ).toEqual(
      [resolve('data/x.db'), resolve('x.db'), '/abs/x.db', '/abs/x.db', '/x'].map((file) => ({
        url: `sqlite:${file}`,
        isEmbedded: true,
        lacksUser: false,
      })),
    );
    expect(
      readAs('IMAGE_STORE_URL', 'imageStore', ['file:images', 'file:/abs/images/', 'file:///abs']),
    ).toEqual([resolve('images'), '/abs/images', '/abs'].map((directory) => ({ url: `file:${directory}` })));
  });

  test('paths that would not mean what they say are refused', () => {
    expectAllRefused('EVENT_STORE_URL', [
      'sqlite:',
      'sqlite::memory:',
      'sqlite://data/x.db',
      'sqlite:./data/',
      'x.db',
      'file:x.db',
    ]);
    expectAllRefused('IMAGE_STORE_URL', ['file:', 'file://images', '../../server/images', 'sqlite:x']);
    expectAllRefused('LEDGER_STORE_URL', ['file:', 'file://ledgers', '../ledgers', 'sqlite:x']);
  });

  test.each([
    ['READ_MODEL_URL', 'readModel'],
    ['IMAGE_STORE_URL', 'imageStore'],
    ['LEDGER_STORE_URL', 'ledgerStore'],
  ] as const)('%s may name a database of MongoDB, of which it shows no password', (name, key) => {
    const url = 'mongodb://levy:change%40it@db1:27017,db2/levy?replicaSet=rs0';
    expect(readConfiguration({ [name]: url })[key].url).toBe(url);
    const [problem] = refusal({ [name]: 'mongodbs://levy:hunter2@db.example.com' }).problems;
    expect(problem).toMatchObject({ variable: name });
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  test('a projector by itself is for read models that other processes read', () => {
    const several = { EVENT_STORE_URL: 'esdb://db:2113?tls=false', ROLES: 'projector' };
    expect(refusal(several).problems).toMatchObject([{ variable: 'ROLES' }]);
    expect(readConfiguration({ ...several, READ_MODEL_URL: 'mongodb://db/levy' })).toMatchObject({
      readModel: { url: 'mongodb://db/levy' },
    });
  });

  test('the one process that a log in a file belongs to writes shared read models too, for nobody else can', () => {
    const alone = { READ_MODEL_URL: 'mongodb://db/levy', ROLES: 'api,settler' };
    expect(refusal(alone).problems).toMatchObject([
      { variable: 'ROLES', reason: expect.stringContaining('needs the role `projector`') },
    ]);
    expect(readConfiguration({ ...alone, ROLES: 'api,settler,projector' }).roles.size).toBe(3);
    expect(readConfiguration({ ...alone, READ_MODEL_URL: undefined }).roles.size).toBe(2);
    const several = { ...alone, EVENT_STORE_URL: 'esdb://db:2113?tls=false', ROLES: 'api' };
    expect(readConfiguration(several).roles.size).toBe(1);
  });

  test('EventStoreDB is named by its own kind of address, under either name', () => {
    const url = 'esdb://admin:change%40it@db.example.com:2113,db2?keepAliveTimeout=500';
    expect(readConfiguration({ EVENT_STORE_URL: url })).toMatchObject({
      eventStore: { url, isEmbedded: false, lacksUser: false },
      readModel: { url: `sqlite:${resolve('data/read-model.db')}` },
      embedded: false,
    });
    for (const text of ['kurrentdb://db?tls=false', 'ESDB+discover://db:2113?tls=false']) {
      expect(readConfiguration({ EVENT_STORE_URL: text }).eventStore).toEqual({
        url: text,
        isEmbedded: false,
        lacksUser: false,
      });
    }
    const elsewhere = { EVENT_STORE_URL: url, READ_MODEL_URL: 'sqlite:/a/b.db' };
    expect(readConfiguration(elsewhere).readModel).toEqual({ url: 'sqlite:/a/b.db' });
  });

  test('an address of EventStoreDB that would not do as it says is refused, and nothing of it is shown', () => {
    const refused: readonly (readonly [string, RegExp])[] = [
      ['esdb://hunter2@db?tls=false', /user, a colon and a password/],
      ['esdb://u:hunter2@?tls=false', /not a host name/],
      ['esdb://u:hunter2@[::1]:2113?tls=false', /not a host name/],
      ['esdb://u:hunter2@db:70000?tls=false', /not a port/],
      ['esdb+discover://u:hunter2@a,b', /write one host/],
      ['esdb://u:hunter2@db?tls=yes', /must be true or false/],
      ['esdb://u:hunter2@db?keepAliveTimeout=-1', /keepAliveTimeout/],
      ['esdb://u:hunter2@db?tlsVerifyCert=false', /always verified/],
      ['esdb://u:hunter2@db?nodePreference=follower', /the leader is always asked/],
      ['esdb://u:hunter2@db?throwOnAppendFailure=false', /an unknown option; the options are tls/],
      ['esdb://u:hunter2@db?tls=false?tls=false', /second/],
      ['esdb://u:hunter2%zz@db', /hexadecimal/],
      ['esdb://db', /requires a user and a password/],
    ];
    for (const [text, reason] of refused) {
      const { problems, message } = refusal({ EVENT_STORE_URL: text });
      expect(problems).toMatchObject([
        { variable: 'EVENT_STORE_URL', reason: expect.stringMatching(reason) },
      ]);
      expect(message).not.toContain('hunter2');
    }
    const withFile = { EVENT_STORE_URL: 'esdb://db', EVENT_STORE_CREDENTIALS_FILE: 'user' };
    expect(readConfiguration(withFile).eventStore).toMatchObject({ lacksUser: true });
  });

  test("streams' prefix is short and plain", () => {
    expectAllRefused('EVENT_STORE_PREFIX', ['a.b', 'a-b', '$a', 'a b', 'ü', 'x'.repeat(33)]);
    expect(readAs('EVENT_STORE_PREFIX', 'eventStorePrefix', ['Levy_2'])).toEqual(['Levy_2']);
  });

  test('servers of no release are refused with what is allowed', () => {
    expectAllRefused('EVENT_STORE_URL', ['nats://db', 'postgres://db', 'mongodb://db', 'https://db']);
  });

  test('the chain is local, or a node; embedded means that it is local', () => {
    const remote = { ...PUBLIC_CHAIN, PUBLIC_URL: 'https://levy.example.com' };
    expect(readConfiguration(remote)).toMatchObject({
      chain: { url: 'https://rpc.example.com', isEmbedded: false },
      embedded: false,
    });
    const plain = readConfiguration({ ...remote, CHAIN_URL: 'http://10.0.0.7:8899/key?x=1' });
    expect(plain.chain).toEqual({ url: 'http://10.0.0.7:8899/key?x=1', isEmbedded: false });
    expect(readConfiguration({ CHAIN_URL: 'local:' })).toMatchObject({
      chain: { url: 'local:', isEmbedded: true },
      embedded: true,
    });
    expectAllRefused('CHAIN_URL', [
      'local',
      'local:8899',
      'mainnet',
      'ws://node',
      'https://',
      'http:node',
      'https://a b',
    ]);
  });
});

describe('CHAIN_WITNESS_URL', () => {
  const remote = {
    ...PUBLIC_CHAIN,
    CHAIN_URL: 'https://rpc.example.com/key',
    PUBLIC_URL: 'https://levy.example.com',
  };
  const witness = (text: string) => readConfiguration({ ...remote, CHAIN_WITNESS_URL: text }).chainWitness;

  test('is a node at another address than CHAIN_URL', () => {
    for (const text of [
      'https://other.example.com',
      'http://10.0.0.7:8899',
      'https://rpc.example.com/other',
    ]) {
      expect(witness(text)).toEqual({ url: text, isEmbedded: false });
    }
    for (const text of [
      'https://rpc.example.com/key',
      'HTTPS://RPC.example.com:443/key',
      'https://rpc.example.com/a/../key',
    ]) {
      expect(refusal({ ...remote, CHAIN_WITNESS_URL: text }).problems).toMatchObject([
        { variable: 'CHAIN_WITNESS_URL', reason: expect.stringContaining('its own witness') },
      ]);
    }
  });

  test('is never the embedded chain, nor a second beside it, and nothing of it is shown', () => {
    expectAllRefused('CHAIN_WITNESS_URL', ['local:', 'wss://node', 'node', 'https://', 'file:/x'], remote);
    expect(refusal({ CHAIN_WITNESS_URL: 'https://other.example.com/hunter2' }).message).toBe(
      'invalid configuration:\n- CHAIN_WITNESS_URL is https:… (not shown): an embedded chain (CHAIN_URL) has one node, ' +
        'and no second to ask. Allowed: the http(s) address of a Solana RPC node.',
    );
  });
});

describe('PUBLIC_URL', () => {
  const accepts = (text: string, others: NodeJS.ProcessEnv = {}) =>
    readConfiguration({ ...others, PUBLIC_URL: text }).publicUrl;

  test('loses the slash at its end, and keeps its path', () => {
    expect(accepts('http://localhost:3000/')).toBe('http://localhost:3000');
    expect(accepts('https://Levy.Example.com:443/api//')).toBe('https://levy.example.com/api');
  });

  test('is an http(s) address and nothing more', () => {
    expectAllRefused('PUBLIC_URL', [
      'levy.example.com',
      'ftp://a.com',
      'https://',
      'https:a.com',
      'https://u:p@a.com',
      'https://a.com?x',
      'https://a.com/#',
      'https://a.com:99999',
    ]);
  });

  test('on the local chain may be any', () => {
    for (const text of [
      'http://127.0.0.1:3000',
      'http://localhost',
      'https://levy.internal',
      `https://a.com/${'x'.repeat(100)}`,
    ]) {
      expect(accepts(text)).toBe(text);
    }
  });

  test('on any other chain must be set, https and a public host', () => {
    expect(refusedVariables(PUBLIC_CHAIN)).toEqual(['PUBLIC_URL']);
    for (const text of [
      'https://levy.example.com',
      'https://example.org:8443/api',
      'https://93.184.216.34',
      'https://[2606:2800:220:1::1]',
      'https://xn--bcher-kva.example.com',
    ]) {
      expect(accepts(text, PUBLIC_CHAIN)).toBe(text);
    }
    expectAllRefused(
      'PUBLIC_URL',
      [
        'http://levy.example.com',
        'https://localhost',
        'https://localhost.',
        'https://LOCALHOST:8443',
        'https://api.localhost',
        'https://levy',
        'https://levy.local',
        'https://levy.internal',
        'https://levy.home.arpa',
        'https://levy.test',
        'https://127.0.0.1',
        'https://127.1',
        'https://2130706433',
        'https://0x7f.0.0.1',
        'https://0.0.0.0',
        'https://10.1.2.3',
        'https://172.16.0.1',
        'https://172.31.255.255',
        'https://192.168.1.1',
        'https://169.254.169.254',
        'https://100.64.0.1',
        'https://224.0.0.1',
        'https://255.255.255.255',
        'https://[::1]',
        'https://[::]',
        'https://[fe80::1]',
        'https://[fd00::1]',
        'https://[::ffff:10.0.0.1]',
        'https://[64:ff9b::a00:1]',
        'https://[2001:db8::1]',
      ],
      PUBLIC_CHAIN,
    );
    expect(accepts('https://172.32.0.1', PUBLIC_CHAIN)).toBe('https://172.32.0.1');
  });

  test('on any other chain leaves room for the metadata address in the 97 bytes that every creation has', () => {
    const longest = `https://levy.example.com/${'x'.repeat(97 - 25 - '/metadata/.json'.length - 44)}`;
    expect(`${longest}/metadata/${'m'.repeat(44)}.json`).toHaveLength(97);
    expect(accepts(longest, PUBLIC_CHAIN)).toBe(longest);
    expect(accepts(`${longest}/`, PUBLIC_CHAIN)).toBe(longest);
    const { problems } = refusal({ ...PUBLIC_CHAIN, PUBLIC_URL: `${longest}xy` });
    expect(problems).toMatchObject([{ reason: expect.stringContaining('2 bytes too long') }]);
    // Counted as it is sent: an umlaut in a path is six bytes.
    expectAllRefused('PUBLIC_URL', [longest.replace(/x$/, 'ü')], PUBLIC_CHAIN);
  });

  test('is not judged as long as the chain is not known', () => {
    expect(refusedVariables({ CHAIN_URL: 'nonsense', PUBLIC_URL: 'http://localhost' })).toEqual([
      'CHAIN_URL',
    ]);
  });
});

describe('values', () => {
  test('durations have a unit, and are kept in milliseconds', () => {
    expect(readAs('SETTLE_DEADLINE', 'settleDeadlineMs', ['250ms', '30s', ' 5m ', '24h'])).toEqual([
      250, 30_000, 300_000, 86_400_000,
    ]);
    expectAllRefused('SETTLE_DEADLINE', [
      '0s',
      '25h',
      '30',
      '1.5s',
      '-1s',
      '1 s',
      '5M',
      '1d',
      '05s',
      's',
      '1e3ms',
      '99999999999999999999h',
    ]);
    expect(readAs('SUBMIT_WAIT', 'submitWaitMs', ['0s', '0ms', '10m'])).toEqual([0, 0, 600_000]);
  });

  test('amounts are digits up to u64', () => {
    expect(
      readAs('PRIORITY_FEE_MAX', 'priorityFeeMax', ['0', '9007199254740993', '18446744073709551615']),
    ).toEqual([0n, 9007199254740993n, 18446744073709551615n]);
    expectAllRefused('PRIORITY_FEE_MAX', ['18446744073709551616', '-1', '1.0', '1e6', '0x10', '01', '1_000']);
  });

  test('the highest tax has two decimals, is exact, and ends at a hundred', () => {
    for (let basisPoints = 0; basisPoints <= 10_000; basisPoints += 1)
      expect(percentage.parse(String(basisPoints / 100))).toBe(basisPoints);
    expect(
      readAs('MAX_TRANSFER_FEE_PERCENT', 'maxTransferFeeBasisPoints', ['0', '0.29', '99.99', '100']),
    ).toEqual([0, 29, 9_999, 10_000]);
    expect(readAs('MAX_TRANSFER_FEE_PERCENT', 'maxTransferFeeBasisPoints', ['7.5', '7.50', '0.07'])).toEqual([
      750, 750, 7,
    ]);
    expectAllRefused('MAX_TRANSFER_FEE_PERCENT', [
      '100.01',
      '101',
      '999',
      '-1',
      '1.234',
      '.5',
      '5.',
      '5%',
      '1e1',
      '05',
    ]);
  });

  test('distributions have amounts and numbers within their bounds', () => {
    expect(readAs('DISTRIBUTION_SELF_COSTS_PER_DAY', 'distributionSelfCostsPerDay', ['7'])).toEqual([7n]);
    expect(readAs('DISTRIBUTION_TOKENS_AT_ONCE', 'distributionTokensAtOnce', ['1', '1000'])).toEqual([
      1, 1_000,
    ]);
    expect(readAs('DISTRIBUTION_HOLDING', 'distributionHolding', ['now', 'least-of-two'])).toEqual([
      'now',
      'least-of-two',
    ]);
    expect(readAs('DISTRIBUTION_ANNOUNCE', 'distributionAnnounceMs', ['0s', '24h'])).toEqual([0, 86_400_000]);
    expectAllRefused('DISTRIBUTION_TOKENS_AT_ONCE', ['0', '1001']);
    expectAllRefused('DISTRIBUTION_HOLDING', ['then', 'Now', 'least']);
    expectAllRefused('DISTRIBUTION_ANNOUNCE', ['0', '169h', '-1s']);
  });

  test('ports', () => {
    expect(readAs('PORT', 'port', ['0', '1', '65535'])).toEqual([0, 1, 65_535]);
    expectAllRefused('PORT', ['65536', '-1', '3000.0', '0x10', '03', 'http', '3000x']);
  });

  test('nonce accounts: not more at start than at most', () => {
    expect(readConfiguration({ NONCE_ACCOUNTS_MIN: '7', NONCE_ACCOUNTS_MAX: '7' })).toMatchObject({
      nonceAccountsMin: 7,
      nonceAccountsMax: 7,
    });
    expect(refusal({ NONCE_ACCOUNTS_MIN: '8', NONCE_ACCOUNTS_MAX: '7' }).problems).toMatchObject([
      {
        variable: 'NONCE_ACCOUNTS_MIN',
        given: '"8"',
        reason: 'it is greater than NONCE_ACCOUNTS_MAX, which is 7',
      },
    ]);
    expect(refusedVariables({ NONCE_ACCOUNTS_MAX: '3' })).toEqual(['NONCE_ACCOUNTS_MIN']);
    expect(refusedVariables({ NONCE_ACCOUNTS_MAX: '0' })).toEqual(['NONCE_ACCOUNTS_MAX']);
  });

  test('files of the local chain: programs with an id each, and accounts', () => {
    const [venue, other] = [
      'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG',
      'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    ];
    expect(
      readAs('LOCAL_CHAIN_ACCOUNTS', 'localChainFiles', [
        `${venue}=venue.so`,
        `/b/c.json,${venue} = /programs/a=b.so , ${other}=programs/other program.so, d e.json`,
      ]),
    ).toEqual([
      { programs: [{ programId: venue, file: resolve('venue.so') }], accounts: [] },
      {
        programs: [
          { programId: venue, file: '/programs/a=b.so' },
          { programId: other, file: resolve('programs/other program.so') },
        ],
        accounts: ['/b/c.json', resolve('d e.json')],
      },
    ]);
    expectAllRefused('LOCAL_CHAIN_ACCOUNTS', [
      `${venue}=`,
      '=venue.so',
      `venue.so=${venue}`,
      `${venue.slice(1)}=venue.so`,
      `${venue}=venue.so,`,
      `${venue}=a.so,${venue}=b.so`,
      ',',
      'a.json,,b.json',
    ]);
    expect(refusal({ LOCAL_CHAIN_ACCOUNTS: `${venue}=a.so,5=b.so` }).message).toContain(
      'item 2 is not allowed: the program id is not an address',
    );
  });

  test('hosts', () => {
    expect(readAs('HOST', 'host', ['0.0.0.0', '::', '::1', 'localhost', 'a-b.example.com'])).toEqual([
      '0.0.0.0',
      '::',
      '::1',
      'localhost',
      'a-b.example.com',
    ]);
    expectAllRefused('HOST', ['[::1]', '256.1.1.1', 'http://x', 'a b', 'a..b', '-a', 'a:80', '/tmp/socket']);
  });

  test('the listener for metrics is on a port that is asked for, or there is none', () => {
    expect(
      readAs('METRICS_PORT', 'metrics', ['', '0', '9464', '0.0.0.0:9464', '[::]:9464', 'localhost:1']),
    ).toEqual([
      undefined,
      { host: '127.0.0.1', port: 0 },
      { host: '127.0.0.1', port: 9_464 },
      { host: '0.0.0.0', port: 9_464 },
      { host: '::', port: 9_464 },
      { host: 'localhost', port: 1 },
    ]);
    expectAllRefused('METRICS_PORT', [
      '65536',
      'on',
      ':9464',
      '127.0.0.1:',
      '127.0.0.1:65536',
      'http://x:1',
      ':::9464',
      '[127.0.0.1:1',
      '0.0.0.0',
    ]);
  });

  test('the collector of traces is an http(s) address without anybody’s password', () => {
    const read = readAs('OTEL_EXPORTER_OTLP_ENDPOINT', 'otlpEndpoint', [
      '',
      'http://127.0.0.1:4318/',
      'https://collector.example.com/otlp',
    ]);
    expect(read).toEqual([undefined, 'http://127.0.0.1:4318', 'https://collector.example.com/otlp']);
    expectAllRefused('OTEL_EXPORTER_OTLP_ENDPOINT', [
      'collector:4317',
      'grpc://collector',
      'https://user:word@collector.example.com',
      'https://collector.example.com/?key=a',
    ]);
    const { message } = refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/?key=word' });
    expect(message).not.toContain('word');
  });

  test('origins are what a browser sends', () => {
    expect(
      readAs('ALLOWED_ORIGINS', 'allowedOrigins', [
        'https://app.example.com',
        ' https://a.com , http://localhost:5173 ',
        'https://*.preview.example:8443',
      ]),
    ).toEqual([
      ['https://app.example.com'],
      ['https://a.com', 'http://localhost:5173'],
      ['https://*.preview.example:8443'],
    ]);
    expectAllRefused('ALLOWED_ORIGINS', [
      '*',
      'null',
      'app.example.com',
      'https://a.com/',
      'https://a.com/x',
      'https://A.com',
      'https://a.com:443',
      'https://a.com,',
      'https://a.com,,https://b.com',
      'https://u@a.com',
      'chrome-extension://abc',
      'https://*',
      'https://*example.com',
      'https://app.*.com',
      'https://*.*.com',
      'https://*.example.com/',
      'https://*.Example.com',
    ]);
    expect(refusal({ ALLOWED_ORIGINS: 'https://a.com,*' }).message).toContain('item 2 is not allowed');
  });

  test('proxies are addresses or ranges', () => {
    expect(readAs('TRUSTED_PROXIES', 'trustedProxies', ['127.0.0.1, 10.0.0.0/8,::1,fd00::/8'])).toEqual([
      ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'],
    ]);
    expectAllRefused('TRUSTED_PROXIES', [
      'true',
      'loopback',
      '10.0.0.0/33',
      '10.0.0/8',
      'fd00::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'fe80::1%eth0',
      '10.0.0.0/-1',
    ]);
  });

  test('switches and levels', () => {
    expect(readAs('RATE_LIMITS', 'rateLimits', ['on', 'off'])).toEqual([{}, undefined]);
    expect(readAs('LOG_LEVEL', 'logLevel', ['silent', 'trace'])).toEqual(['silent', 'trace']);
    expectAllRefused('RATE_LIMITS', ['ON', '1', 'false']);
  });

  test('quotas are of policies that there are, in whole seconds', () => {
    expect(
      readAs('RATE_LIMITS', 'rateLimits', ['general=300/15m,featured=10/h', ' sign-in = 1 / 90s ']),
    ).toEqual([
      {
        general: { quota: 300, windowSeconds: 900 },
        featured: { quota: 10, windowSeconds: 3_600 },
      },
      { 'sign-in': { quota: 1, windowSeconds: 90 } },
    ]);
    expectAllRefused('RATE_LIMITS', [
      'general',
      'general=100',
      'general=/15m',
      'general=0/15m',
      'general=1000001/h',
      'general=1.5/h',
      'general=10/0s',
      'general=10/500ms',
      'general=10/25h',
      'general=10/day',
      'general=10/h,',
      'general=10/h,general=20/h',
      'unknown=10/h',
      'toString=10/h',
      'none=10/h',
    ]);
    expect(refusal({ RATE_LIMITS: 'uploads=1/h' }).message).toMatch(
      /no policy "uploads"; the policies are general, sign-in/,
    );
  });

  test('accepted issuers are whole entries, each named once', () => {
    const entry = {
      issuer: 'https://id.example.com',
      jwksUrl: 'https://id.example.com/jwks.json',
      algorithms: ['ES256'],
      audience: 'levy',
      walletClaim: 'sub',
    };
    expect(readAs('ACCEPTED_ISSUERS', 'acceptedIssuers', ['[]', JSON.stringify([entry])])).toEqual([
      [],
      [entry],
    ]);
    const { issuer: _left, ...nameless } = entry;
    const wrong = [
      '{}',
      'x',
      JSON.stringify([nameless]),
      JSON.stringify([{ ...entry, more: 1 }]),
      JSON.stringify([entry, entry]),
    ];
    for (const change of [
      { jwksUrl: 'http://id.example.com/jwks.json' },
      { algorithms: [] },
      { algorithms: ['none'] },
      { algorithms: ['HS256'] },
      { issuer: '' },
    ]) {
      wrong.push(JSON.stringify([{ ...entry, ...change }]));
    }
    expectAllRefused('ACCEPTED_ISSUERS', wrong);
    expect(refusal({ ACCEPTED_ISSUERS: JSON.stringify([nameless]) }).problems).toMatchObject([
      { reason: expect.stringContaining('/0/issuer') },
    ]);
  });

  test('the roles of a process are named, in any order', () => {
    const roles = (text: string) => readConfiguration({ ...SHARED_LOG, ROLES: text }).roles;
    expect(['api', 'publisher, settler', 'settler,settler'].map(roles)).toEqual([
      new Set(['api']),
      new Set(['settler', 'publisher']),
      new Set(['settler']),
    ]);
    expectAllRefused('ROLES', ['worker', 'api,', 'API', 'api settler'], SHARED_LOG);
  });

  test('nobody keeps read models in a file that nobody reads', () => {
    expectAllRefused('ROLES', ['projector', 'projector,publisher'], SHARED_LOG);
    for (const reader of ['api', 'settler', 'distributor']) {
      expect(readConfiguration({ ...SHARED_LOG, ROLES: `projector,${reader}` }).roles.size).toBe(2);
    }
  });

  test('the one process that a log in a file belongs to answers and settles', () => {
    expectAllRefused('ROLES', ['api', 'settler', 'publisher', 'distributor', 'api,projector,publisher']);
    expect(readConfiguration({ ROLES: 'api,settler' }).roles.size).toBe(2);
    expect(readConfiguration({ ...SHARED_LOG, ROLES: 'distributor' }).roles).toEqual(
      new Set(['distributor']),
    );
  });

  test('who publishes and does nothing else is told where to', () => {
    expect(refusal({ ...SHARED_LOG, ROLES: 'publisher' }).message).toContain('PUBLISHER_URL is not set');
    expectAllRefused('PUBLISHER_URL', ['', 'http://bus'], { ...SHARED_LOG, ROLES: 'publisher' });
    expect(
      readConfiguration({ ...SHARED_LOG, ROLES: 'publisher', PUBLISHER_URL: 'nats://bus' }).roles.size,
    ).toBe(1);
    expect(readConfiguration({ ...SHARED_LOG, ROLES: 'settler,publisher' }).publisher).toBeUndefined();
  });

  test('files of secrets are given by their path', () => {
    expect(readAs('MASTER_SEED_FILE', 'masterSeedFile', ['secrets/seed', '/run/secrets/seed'])).toEqual([
      resolve('secrets/seed'),
      '/run/secrets/seed',
    ]);
    expectAllRefused('MASTER_SEED_FILE', [
      'ab'.repeat(32),
      '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM',
      '[1,2,3]',
    ]);
    expectAllRefused('JWT_KEY_FILE', ['{"kty":"OKP"}']);
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
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['CHAIN_ULR', 'CHAIN_URL'],
    ['MASTER_SEEDFILE', 'MASTER_SEED_FILE'],
    ['ROLE', 'ROLES'],
  ])('is told with the likely name: %s', (given, meant) => {
    expect(likelyMisspelt({ [given]: 'x', HOME: '/root', PATH: '/bin' })).toEqual([{ given, meant }]);
  });

  test('is left alone where it is like none, or where the likely one is set as well', () => {
    const others = [
      'HOME',
      'PATH',
      'HOSTNAME',
      'PWD',
      'TERM',
      'SHELL',
      'USER',
      'NODE_ENV',
      'LANG',
      'TZ',
      'MAIL',
    ];
    expect(likelyMisspelt(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
    expect(likelyMisspelt({ PROT: '1', PORT: '2' })).toEqual([]);
  });
});
