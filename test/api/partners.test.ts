/** A launchpad's backend calls for many creators from one address: with its key it is counted by partner. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Keypair } from '@solana/web3.js';
import { createLevyClient } from 'levy-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { quotas } from '../../src/operations/config/quotas.ts';
import { RECOMMENDED_PARTNER_QUOTAS } from '../../src/server/http/rate-limit/policies.ts';
import { checkedFetch, createClient, type Problem } from '../support/client.ts';
import { type Creator, type Draft, openCreator } from '../support/creator.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';

const KEY = 'a key of a partner that nobody guesses';
const OTHER_KEY = 'a key of another partner';
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const PARTNER_KEYS = [
  `acme:${hash(KEY)}:general=500/15m;create-unsigned=3/h;settings=900/h`,
  `small:${hash(OTHER_KEY)}:general=3/15m`,
].join(',');

/** As the guide for operators recommends it. */
const [, RECOMMENDED = ''] =
  /^`PARTNER_KEYS=acme:<hash>:(\S+)`$/m.exec(
    readFileSync(new URL('../../docs/how-to/operate/configure-rate-limits.md', import.meta.url), 'utf8'),
  ) ?? [];

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
});

test('the recommended entry is what operators give by a call, and has room for the calls of sixty creators at once', () => {
  expect(quotas.parse(RECOMMENDED.replaceAll(';', ','))).toEqual(RECOMMENDED_PARTNER_QUOTAS);
  const callsOfACreator = {
    'sign-in': 2,
    'generate-wallet': 1,
    'create-unsigned': 1,
    submit: 1,
    settings: 1,
    featured: 2,
  } as const;
  for (const [policy, calls] of Object.entries(callsOfACreator)) {
    const { quota } = RECOMMENDED_PARTNER_QUOTAS[policy as keyof typeof callsOfACreator];
    expect([policy, quota >= 60 * calls]).toEqual([policy, true]);
  }
});

interface NewKey {
  readonly partner: string;
  readonly keyId: string;
  readonly key: string;
}

describe('a partner that an operator makes', () => {
  const operate = <Body>(method: string, path: string, json?: object) =>
    createClient(service.url).ask<Body>(method, `/operator/partners${path}`, {
      operatorKey: OPERATOR_KEY,
      ...(json === undefined ? {} : { json }),
    });
  const make = (partner: string, more: object = {}) => operate<NewKey>('POST', '', { partner, ...more });

  test('is counted by its key at once, with its quotas, and shown without key or hash', async () => {
    const quotas = [{ policy: 'general', calls: 321, windowSeconds: 60 }];
    const { key, keyId } = await make('sunset', { quotas });
    expect((await list(key)).limit).toBe('321');
    const { partners } = await operate<{ partners: object[] }>('GET', '');
    expect(partners).toContainEqual({
      partner: 'sunset',
      source: 'operator',
      quotas,
      developerShare: null,
      keys: [{ keyId, madeAt: expect.any(String), madeBy: 'alice', endsAt: null }],
      end: null,
    });
    expect(partners).toContainEqual({
      partner: 'small',
      source: 'environment',
      quotas: [{ policy: 'general', calls: 3, windowSeconds: 900 }],
      developerShare: null,
      keys: [],
      end: null,
    });
    const shown = JSON.stringify(partners);
    for (const secret of [key, hash(key), hash(KEY)]) expect(shown).not.toContain(secret);
  });

  test('has its share in the tokens of its key alone, which their creators see before they sign', async () => {
    const creator = await openCreator(service);
    const wallet = Keypair.generate().publicKey.toBase58();
    const { key } = await make('sharing', { developerShare: { wallet, basisPoints: 2_500 } });
    const drafted = async (headers: Readonly<Record<string, string>>, fields = {}) => {
      const json = await creator.tokenInput(fields);
      return creator.call<Draft>('POST', '/tokens/create-unsigned', { json, headers });
    };
    const { body: draft } = await drafted(withKey(key).headers);
    const partnerShare = { partner: 'sharing', wallet, basisPoints: 2_500 };
    expect(draft.partnerShare).toEqual(partnerShare);
    expect((await drafted({})).body.partnerShare).toBeUndefined();
    const whole = { developerWallets: [{ wallet: creator.address, basisPoints: 7_501 }] };
    expect((await drafted(withKey(key).headers, whole)).status).toBe(400);

    const { mintAddress, token } = await creator.submit(draft);
    const path = `/distribution/${token.id}/settings`;
    const settings = () => creator.call<Record<string, unknown>>('GET', path);
    expect((await settings()).body).toMatchObject({ partnerShare });
    expect((await settings()).body).not.toHaveProperty('developerWallets');
    const refused = await creator.call<Problem>('PATCH', path, { json: whole });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [
        {
          path: ['developerWallets'],
          message: "must have at most 7500 basis points together, because the partner's share is 2500",
        },
      ],
    ]);
    const { body: shown } = await creator.call<{ settings: object }>(
      'GET',
      `/tokens/${mintAddress}?include=settings`,
    );
    expect(shown.settings).toMatchObject({ partnerShare });
  });

  test('is in the log with the hash of its key, and in no log line with its key', async () => {
    const { key } = await make('logged');
    await list(key);
    const made = service.recorded.findLast(({ type }) => type === 'PartnerMade');
    expect(made).toMatchObject({ data: { partner: 'logged', sha256: hash(key) } });
    expect(JSON.stringify(made?.metadata)).toContain('operator:alice');
    expect(JSON.stringify([service.recorded, service.logged])).not.toContain(key);
  });
});
