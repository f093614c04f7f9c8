/** A launchpad's backend calls for many creators from one address: with its key it is counted by partner. */
import { createHash } from 'node:crypto';
import { createLevyClient } from 'levy-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkedFetch, createClient, type Problem } from '../support/client.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';

const KEY = 'a key of a partner that nobody guesses';
const OTHER_KEY = 'a key of another partner';
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const PARTNER_KEYS = [
  `acme:${hash(KEY)}:general=500/15m;create-unsigned=3/h;settings=900/h`,
  `small:${hash(OTHER_KEY)}:general=3/15m`,
].join(',');

let service: TestService;
let creators: readonly Creator[];

const withKey = (key: string) => ({ headers: { 'x-partner-key': key } });

beforeAll(async () => {
  service = await openTestService({
    RATE_LIMITS: 'on',
    NONCE_ACCOUNTS_MIN: '0',
    LOG_LEVEL: 'info',
    PARTNER_KEYS,
  });
  creators = await Promise.all([
    openCreator(service, { sol: 0 }),
    openCreator(service, { sol: 0 }),
    openCreator(service, { sol: 0 }),
    openCreator(service, { sol: 0 }),
  ]);
});

async function list(key?: string) {
  const { status, headers, body } = await createClient(service.url).call<Problem>(
    'GET',
    '/tokens',
    key === undefined ? {} : withKey(key),
  );
  return {
    status,
    limit: headers.get('x-ratelimit-limit'),
    left: headers.get('x-ratelimit-remaining'),
    body,
  };
}

describe("a call with a partner's key", () => {
  test('is counted by partner, with its quota, and uses up nothing of the address', async () => {
    const before = await list();
    const [first, second] = [await list(KEY), await list(KEY)];
    expect([first.limit, Number(first.left) - Number(second.left)]).toEqual(['500', 1]);
    const after = await list();
    expect([after.limit, Number(before.left) - Number(after.left)]).toEqual(['100', 1]);
  });

  test('is refused when the partner has called too often; the others are not', async () => {
    for (let calls = 0; calls < 3; calls++) expect((await list(OTHER_KEY)).status).toBe(200);
    const refused = await list(OTHER_KEY);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect((await list(KEY)).status).toBe(200);
    expect((await list()).status).toBe(200);
  });

  test('is counted by wallet as well where wallets are counted, and by the partner for all its creators together', async () => {
    const draft = (creator: Creator | undefined) =>
      creator?.call<Problem>('POST', '/tokens/create-unsigned', {
        body: '{',
        headers: { 'x-partner-key': KEY, 'content-type': 'application/json' },
      });
    const [one, two, three, four] = creators;
    for (const creator of [one, two, three]) expect((await draft(creator))?.status).toBe(400);
    const refused = await draft(four);
    expect([refused?.status, refused?.headers.get('x-ratelimit-limit')]).toEqual([429, '3']);
    // Without the key, the same wallet has its own quota, of which the refused call took nothing.
    const alone = await four?.call<Problem>('POST', '/tokens/create-unsigned', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect([alone?.status, alone?.headers.get('x-ratelimit-remaining')]).toEqual([400, '29']);
  });

  test('gives no wallet more than its own quota', async () => {
    const [one] = creators;
    const settings = `/distribution/${one?.address}/settings`;
    const answer = await one?.call('PATCH', settings, { ...withKey(KEY), json: {} });
    expect([answer?.status, answer?.headers.get('x-ratelimit-limit')]).toEqual([400, '10']);
  });

  test('is counted in the metrics, and named in the log, by the name of the partner', async () => {
    await list(KEY);
    const { bytes } = await createClient(service.url).call('GET', '/metrics', { operatorKey: OPERATOR_KEY });
    expect(Buffer.from(bytes).toString()).toMatch(
      /levy_partner_requests_total\{partner="acme",status="200"\} \d+/,
    );
    expect(service.logged.some((line) => Reflect.get(Object(line), 'partner') === 'acme')).toBe(true);
  });

  test('is what the client sends, if it has one', async () => {
    const before = await list(KEY);
    await createLevyClient({ baseUrl: service.url, partnerKey: KEY, fetch: checkedFetch }).get('/tokens');
    expect(Number(before.left) - Number((await list(KEY)).left)).toBe(2);
  });
});

describe('a wrong partner key', () => {
  test('is refused, opens nothing to operators, and cannot be guessed at without limit', async () => {
    const limited = await openTestService({ RATE_LIMITS: 'on', NONCE_ACCOUNTS_MIN: '0', PARTNER_KEYS });
    const client = createClient(limited.url);
    const answer = await client.call<Problem>('GET', '/tokens', withKey('wrong'));
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey header="X-Partner-Key"');
    for (let calls = 1; calls < 10; calls++)
      await client.refusal('UNAUTHENTICATED', 'GET', '/tokens', withKey(`${calls}`));
    await client.refusal('RATE_LIMITED', 'GET', '/tokens', withKey(KEY));
    const again = await client.call('GET', '/tokens', withKey(KEY));
    expect(Number(again.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    // Without a key the address may call as before.
    expect((await client.call('GET', '/tokens')).status).toBe(200);
  });

  test('is every key where there are no partners', async () => {
    const client = createClient((await openTestService({ NONCE_ACCOUNTS_MIN: '0' })).url);
    await client.refusal('UNAUTHENTICATED', 'GET', '/tokens', withKey(KEY));
  });
});
