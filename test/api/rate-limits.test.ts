/** Rate limits over HTTP: every policy that a route names, whom it counts, and what it tells. Unit tests of the limiter hold the rest. */
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
const UNREADABLE = { body: '{', headers: { 'content-type': 'application/json' } };

type PolicyName = keyof typeof RATE_LIMIT_POLICIES;

const routes = [...commands, ...queries].map(({ route }) => route);
const policiesInUse = [...new Set(routes.map(({ limit = 'general' }) => limit))].filter(
  (name): name is PolicyName => name in RATE_LIMIT_POLICIES,
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

describe('the quotas of the contract', () => {
  let service: TestService;
  let creator: Creator;

  beforeAll(async () => {
    service = await openLimited();
    creator = await openCreator(service, { sol: 0 });
  });

  /** A call that is counted by the policy, and records nothing. */
  function callOf(name: PolicyName): Promise<Answer<Problem>> {
    const route = routes.find(({ limit = 'general' }) => limit === name);
    const path = (route?.url ?? '').replace(/:\w+/, SOME_ID);
    const options: CallOptions = {
      ...(route?.method === 'GET' ? {} : UNREADABLE),
      ...(route?.auth === 'wallet' ? { token: creator.token } : {}),
      // Calls without a key are no guesses, and the same wrong key is one.
      ...(route?.auth === 'operator' ? { operatorKey: newOperatorKey() } : {}),
    };
    return creator.client.call<Problem>(route?.method ?? '', path, options);
  }

  test.each(policiesInUse)('are told by the routes of the policy %s', async (name) => {
    const { quota, windowSeconds } = RATE_LIMIT_POLICIES[name];
    const { headers } = await callOf(name);
    expect(headers.get('x-ratelimit-limit')).toBe(String(quota));
    expect(headers.get('ratelimit-policy')).toBe(`"${name}";q=${quota};w=${windowSeconds}`);
  });

  test('let so many calls through, and refuse the next with the time to wait', async () => {
    const { quota, windowSeconds } = RATE_LIMIT_POLICIES.settings;
    // One was made above.
    const { last, refused } = await refusedAfter(quota - 1, () => callOf('settings'));
    expect(last.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(last.headers.get('ratelimit')).toMatch(/^"settings";r=0;t=\d+$/);
    expect(last.headers.get('retry-after')).toBeNull();

    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(windowSeconds);
    const reset = Number(refused.headers.get('x-ratelimit-reset'));
    expect(reset).toBeGreaterThan(Date.now() / 1_000);
    expect(reset).toBeLessThanOrEqual(Date.now() / 1_000 + windowSeconds + 1);
  });

  test("are nobody else's: a partner's key is refused where there are no partners", async () => {
    const headers = { 'x-partner-key': 'a key of nobody' };
    await creator.client.refusal('UNAUTHENTICATED', 'GET', '/tokens', { headers });
  });

  test('are of the address too where wallets would be a way around it', async () => {
    const other = await openCreator(service, { sol: 0 });
    const upload = (own: Creator) => own.call<Problem>('POST', '/tokens/upload-image', UNREADABLE);
    expect((await refusedAfter(19, () => upload(creator))).refused.status).toBe(429);
    expect((await upload(other)).status).toBe(429);
  });
});

describe('quotas that an operator sets', () => {
  const QUOTAS = { RATE_LIMITS: 'general=2/10m,submit=2/h,upload=2/h' };
  let service: TestService;
  let networks = 0;

  beforeAll(async () => {
    service = await openLimited({ ...QUOTAS, TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' });
  });

  /** A call from an address that no other test uses. */
  function newAddress(): string {
    networks += 1;
    return `198.51.100.${networks}`;
  }

  const list = (address: string) =>
    requestText('GET', '/tokens', {
      'x-forwarded-for': address,
      forwarded: `for=${address}`,
      'x-real-ip': address,
    });
  const from = async (address: string) => (await exchange(service.url, list(address))).status;

  test('are those that count, and the rest stays as it is', async () => {
    const client = createClient(service.url);
    const headers = { 'x-forwarded-for': newAddress() };
    const { last, refused } = await refusedAfter(2, () => client.call('GET', '/tokens', { headers }));
    expect(last.headers.get('ratelimit-policy')).toBe('"general";q=2;w=600');
    expect(refused.status).toBe(429);
    const wallet = await client.call('POST', '/tokens/generate-distribution-wallet', { headers });
    expect(wallet.headers.get('ratelimit-policy')).toBe('"generate-wallet";q=30;w=3600');
  });

  test('count a call that repeats what is recorded under its Idempotency-Key like any other', async () => {
    const creator = await openCreator(service, { sol: 0 });
    const bytes = picture();
    const headers = { 'idempotency-key': 'image', 'x-forwarded-for': newAddress() };
    const upload = () => creator.call('POST', '/tokens/upload-image', { body: imageForm(bytes), headers });
    const [first, again] = [await upload(), await upload()];
    expect([first, again].map((each) => each.headers.get('x-ratelimit-remaining'))).toEqual(['1', '0']);
    expect(again.bytes).toEqual(first.bytes);
    expect((await upload()).status).toBe(429);
  });

  test('count the last address that a trusted proxy did not add itself, with whatever port', async () => {
    const [caller, other] = [newAddress(), newAddress()];
    expect([await from(caller), await from(`${caller}:40001`)]).toEqual([200, 200]);
    expect(await from(`${caller}, 10.1.2.3`)).toBe(429);
    // Text that the caller itself wrote in front of it changes nothing.
    expect(await from(`203.0.113.9, ${caller}`)).toBe(429);
    expect(await from(`${caller}, ${other}`)).toBe(200);
  });
});
