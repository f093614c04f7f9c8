/** Rate limits over HTTP: every policy that a route names, whom it counts, and what it tells. */
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { queries } from '../../src/queries/index.ts';
import { RATE_LIMIT_POLICIES } from '../../src/server/http/rate-limit/policies.ts';
import { type Answer, type CallOptions, createClient, type Problem } from '../support/client.ts';
import { type Creator, imageForm, openCreator, picture } from '../support/creator.ts';
import { newOperatorKey } from '../support/operator.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { type Environment, openTestService, type TestService } from '../support/service.ts';

const SOME_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

/** What the contract says, not what the code says. */
const QUOTAS = {
  general: [100, 900],
  'sign-in': [20, 60],
  'generate-wallet': [30, 3_600],
  'create-unsigned': [30, 3_600],
  submit: [30, 3_600],
  upload: [20, 3_600],
  settings: [10, 3_600],
  featured: [5, 3_600],
  launch: [10, 3_600],
  faucet: [120, 3_600],
  operator: [10, 60],
  partner: [10, 60],
  transactions: [600, 900],
  preview: [6, 3_600],
} as const;

type PolicyName = keyof typeof QUOTAS;

const routes = [...commands, ...queries].map(({ route }) => route);
const policiesInUse = [...new Set(routes.map(({ limit = 'general' }) => limit))].filter(
  (name): name is PolicyName => name in QUOTAS,
);

function openLimited(environment: Environment = {}): Promise<TestService> {
  return openTestService({ RATE_LIMITS: 'on', NONCE_ACCOUNTS_MIN: '0', ...environment });
}

async function refusedAfter(
  quota: number,
  call: () => Promise<Answer<Problem>>,
): Promise<{ readonly last: Answer<Problem>; readonly refused: Answer<Problem> }> {
  let last = await call();
  for (let calls = 1; calls < quota; calls += 1) {
    expect([calls, last.status]).not.toEqual([calls, 429]);
    last = await call();
  }
  expect(last.status).not.toBe(429);
  return { last, refused: await call() };
}

let shared: Promise<Creator> | undefined;

test('the quotas are those of the contract', () => {
  const found = Object.entries(RATE_LIMIT_POLICIES).map(([name, { quota, windowSeconds }]) => [
    name,
    [quota, windowSeconds],
  ]);
  expect(Object.fromEntries(found)).toEqual(QUOTAS);
});

describe.each(policiesInUse)('the policy %s', (name) => {
  // One service for all: each policy counts for itself.
  let creator: Creator;

  beforeAll(async () => {
    shared ??= openCreator(await openLimited(), { sol: 0 });
    creator = await shared;
  });

  test('refuses the first call beyond its quota, and tells how it stands in every answer', async () => {
    const route = routes.find(({ limit = 'general' }) => limit === name);
    const path = (route?.url ?? '').replace(/:\w+/, SOME_ID);
    const [quota, seconds] = QUOTAS[name];
    // Signing in has used some of its own quota.
    const used = name === 'sign-in' ? 2 : 0;
    // Unreadable, so that nothing is recorded: what is counted is the call.
    const options: CallOptions = {
      ...(route?.method === 'GET' ? {} : { body: '{', headers: { 'content-type': 'application/json' } }),
      ...(route?.auth === 'wallet' ? { token: creator.token } : {}),
    };
    const { last, refused } = await refusedAfter(quota - used, () =>
      creator.client.call<Problem>(route?.method ?? '', path, {
        ...options,
        // Calls without a key are no guesses, and the same wrong key is one.
        ...(route?.auth === 'operator' ? { operatorKey: newOperatorKey() } : {}),
      }),
    );

    expect(last.headers.get('x-ratelimit-limit')).toBe(String(quota));
    expect(last.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(last.headers.get('ratelimit-policy')).toBe(`"${name}";q=${quota};w=${seconds}`);
    expect(last.headers.get('ratelimit')).toMatch(new RegExp(`^"${name}";r=0;t=\\d+$`));
    expect(last.headers.get('retry-after')).toBeNull();

    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(seconds);
    const reset = Number(refused.headers.get('x-ratelimit-reset'));
    expect(reset).toBeGreaterThan(Date.now() / 1_000);
    expect(reset).toBeLessThanOrEqual(Date.now() / 1_000 + seconds + 1);
  });
});

describe('who is counted', () => {
  async function exhaust(creator: Creator, path: string, quota: number) {
    const call = () =>
      creator.call<Problem>('POST', path, { body: '{', headers: { 'content-type': 'application/json' } });
    const { refused } = await refusedAfter(quota, call);
    expect(refused.status).toBe(429);
    return call;
  }

  test('is the address too where wallets would be a way around it', async () => {
    const service = await openLimited();
    const [creator, other] = [await openCreator(service, { sol: 0 }), await openCreator(service, { sol: 0 })];
    for (const path of ['/tokens/create-unsigned', '/tokens/submit', '/tokens/upload-image']) {
      await exhaust(creator, path, path.endsWith('image') ? 20 : 30);
      const { status } = await other.call('POST', path, {
        body: '{',
        headers: { 'content-type': 'application/json' },
      });
      expect([path, status]).toEqual([path, 429]);
    }
  });

  test('is the wallet too where addresses would be a way around it', async () => {
    const service = await openLimited({ TRUSTED_PROXIES: '127.0.0.1' });
    const creator = await openCreator(service, { sol: 0 });
    for (let address = 1; address <= 31; address += 1) {
      const { status } = await creator.call('POST', '/tokens/submit', {
        body: '{',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${address}` },
      });
      expect([address, status]).toEqual([address, address <= 30 ? 400 : 429]);
    }
  });

  test('is the wallet on the other routes, once it is signed in, and all wallets of an address have four times as much', async () => {
    const service = await openLimited({ RATE_LIMITS: 'general=5/m' });
    const creators = [];
    for (let count = 0; count < 6; count += 1) creators.push(await openCreator(service, { sol: 0 }));
    const [creator, other] = creators as [Creator, Creator];
    const { refused } = await refusedAfter(5, () => creator.call<Problem>('GET', '/tokens/me'));
    expect(refused.status).toBe(429);
    const statuses = [];
    for (let calls = 0; calls < 16; calls += 1) {
      const next = creators[1 + Math.floor(calls / 4)] as Creator;
      statuses.push((await next.call('GET', '/tokens/me')).status);
    }
    expect(statuses).toEqual([...Array(15).fill(200), 429]);
    expect((await other.client.call('GET', '/tokens')).status).toBe(200);
  });

  test('is everybody who guesses at tokens', async () => {
    const service = await openLimited();
    const client = createClient(service.url);
    const { refused } = await refusedAfter(100, () =>
      client.call<Problem>('GET', '/tokens/me', { token: 'garbage' }),
    );
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
  });

  test('is nobody on what machines and pages fetch all the time', async () => {
    const service = await openLimited();
    const client = createClient(service.url);
    const free = ['/health', '/ready', '/.well-known/jwks.json', '/metadata/x.json', '/images/x.jpg'];
    for (const path of free) {
      const answers = await Promise.all(Array.from({ length: 110 }, () => client.call('GET', path)));
      expect(answers.filter(({ status }) => status === 429)).toEqual([]);
      expect(answers[0]?.headers.get('x-ratelimit-limit')).toBeNull();
    }
  });
});

describe('X-Forwarded-For', () => {
  const list = (address: string) =>
    requestText('GET', '/tokens', {
      'x-forwarded-for': address,
      forwarded: `for=${address}`,
      'x-real-ip': address,
    });

  test('means nothing from a caller that is no trusted proxy', async () => {
    const service = await openLimited();
    const statuses = [];
    for (let address = 0; address <= 100; address += 1) {
      statuses.push((await exchange(service.url, list(`198.51.100.${address}`))).status);
    }
    expect(statuses).toEqual([...Array(100).fill(200), 429]);
  });

  test('names the caller that is counted, from a trusted proxy: the last address that it did not add itself', async () => {
    const service = await openLimited({ TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' });
    const from = async (address: string) => (await exchange(service.url, list(address))).status;
    for (let calls = 0; calls < 100; calls += 1) expect(await from('198.51.100.1')).toBe(200);
    expect(await from('198.51.100.1')).toBe(429);
    expect(await from('198.51.100.1, 10.1.2.3')).toBe(429);
    // What the caller itself writes in front of it changes nothing.
    expect(await from('203.0.113.9, 198.51.100.1')).toBe(429);
    expect(await from('198.51.100.2')).toBe(200);
    expect(await from('198.51.100.1, 198.51.100.2')).toBe(200);
  });

  test.each([
    '203.0.113.8:',
    '[2001:db8:5:6::7]:',
    '"[2001:db8:5:7::7]:',
  ])('is read with the ports that some proxies add: %s40000', async (address) => {
    const service = await openLimited({
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
      RATE_LIMITS: 'general=3/h',
    });
    const close = address.startsWith('"') ? '"' : '';
    const statuses = [];
    for (let port = 40_000; port < 40_004; port += 1) {
      // A trusted proxy with a port is passed over like one without.
      const { status } = await exchange(service.url, list(`${address}${port}${close}, 10.1.2.3:${port}`));
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('that names nobody is no way around the limits: all such callers are one', async () => {
    const service = await openLimited({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMITS: 'general=2/h' });
    const from = async (address: string) => (await exchange(service.url, list(address))).status;
    expect([
      await from('unknown'),
      await from('_x:1'),
      await from('secret'),
      await from('203.0.113.1:x'),
    ]).toEqual([200, 200, 429, 429]);
  });
});

test('a call that repeats what is recorded under its Idempotency-Key is counted like any other', async () => {
  const creator = await openCreator(await openLimited({ RATE_LIMITS: 'upload=2/h' }), { sol: 0 });
  const [bytes, headers] = [picture(), { 'idempotency-key': 'image' }];
  const upload = () => creator.call('POST', '/tokens/upload-image', { body: imageForm(bytes), headers });
  const first = await upload();
  const again = await upload();
  expect([first, again].map((each) => each.headers.get('x-ratelimit-remaining'))).toEqual(['1', '0']);
  expect(again.bytes).toEqual(first.bytes);
  expect((await upload()).status).toBe(429);
});

test('an operator sets other quotas, and the rest stays as it is', async () => {
  const client = createClient((await openLimited({ RATE_LIMITS: 'general=2/10s' })).url);
  const { last } = await refusedAfter(2, () => client.call<Problem>('GET', '/tokens'));
  expect(last.headers.get('ratelimit-policy')).toBe('"general";q=2;w=10');
  const { headers } = await client.call('POST', '/tokens/generate-distribution-wallet');
  expect(headers.get('ratelimit-policy')).toBe('"generate-wallet";q=30;w=3600');
});

test('no limits are told where they are off', async () => {
  const service = await openTestService({ NONCE_ACCOUNTS_MIN: '0' });
  const { headers } = await createClient(service.url).call('GET', '/tokens');
  expect(headers.get('x-ratelimit-limit')).toBeNull();
});
