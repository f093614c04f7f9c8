/** A launchpad's backend calls for many creators from one address: with its key it is counted by partner. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Keypair } from '@solana/web3.js';
import { createLevyClient } from 'levy-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { quotas } from '../../src/operations/config/quotas.ts';
import { RECOMMENDED_PARTNER_QUOTAS } from '../../src/server/http/rate-limit/policies.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { checkedFetch, createClient, type Problem } from '../support/client.ts';
import { type Creator, creatorWallet, type Draft, openCreator } from '../support/creator.ts';
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
    readFileSync(new URL('../../docs/how-to/operate/limit-calls.md', import.meta.url), 'utf8'),
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

describe('the recommended entry', () => {
  test('is what operators give by a call, and lets a backend sign in and serve sixty creators at once', async () => {
    expect(quotas.parse(RECOMMENDED.replaceAll(';', ','))).toEqual(RECOMMENDED_PARTNER_QUOTAS);
    const { url } = await openTestService({
      RATE_LIMITS: 'on',
      NONCE_ACCOUNTS_MIN: '0',
      PARTNER_KEYS: `acme:${hash(KEY)}:${RECOMMENDED}`,
    });
    const client = createClient(url);
    // Counted before they are read: what matters is that none of them is refused for its number.
    const unreadable = { body: '{', headers: { 'content-type': 'application/json', 'x-partner-key': KEY } };
    for (let creator = 0; creator < 60; creator += 1) {
      const keypair = Keypair.generate();
      const sessions = createLevyClient({ baseUrl: url, partnerKey: KEY, fetch: checkedFetch });
      const { token } = await sessions.signIn(creatorWallet(keypair));
      await client.ask('POST', '/tokens/generate-distribution-wallet', withKey(KEY));
      for (const path of ['/tokens/create-unsigned', '/tokens/submit', '/featured/create-unsigned']) {
        await client.refusal('VALIDATION_FAILED', 'POST', path, { ...unreadable, token });
      }
      const settings = `/distribution/${keypair.publicKey.toBase58()}/settings`;
      await client.refusal('VALIDATION_FAILED', 'PATCH', settings, { ...unreadable, token });
    }
  });
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
  const wrong = (key: string) =>
    createClient(service.url).refusal('UNAUTHENTICATED', 'GET', '/tokens', withKey(key));

  test('is counted by its key at once, with its quotas, and shown without key or hash', async () => {
    const quotas = [{ policy: 'general', calls: 321, windowSeconds: 60 }];
    const { key, keyId } = await make('sunset', { quotas });
    expect((await list(key)).limit).toBe('321');
    const { partners } = await operate<{ partners: object[] }>('GET', '');
    expect(partners).toContainEqual({
      partner: 'sunset',
      source: 'operator',
      quotas,
      keys: [{ keyId, madeAt: expect.any(String), madeBy: 'alice', endsAt: null }],
      end: null,
    });
    expect(partners).toContainEqual({
      partner: 'small',
      source: 'environment',
      quotas: [{ policy: 'general', calls: 3, windowSeconds: 900 }],
      keys: [],
      end: null,
    });
    const shown = JSON.stringify(partners);
    for (const secret of [key, hash(key), hash(KEY)]) expect(shown).not.toContain(secret);
  });

  test('is in the log with the hash of its key, and in no log line with its key', async () => {
    const { key } = await make('logged');
    await list(key);
    const made = service.recorded.findLast(({ type }) => type === 'PartnerMade');
    expect(made).toMatchObject({ data: { partner: 'logged', sha256: hash(key) } });
    expect(JSON.stringify(made?.metadata)).toContain('operator:alice');
    expect(JSON.stringify([service.recorded, service.logged])).not.toContain(key);
  });

  test('has two keys while it changes over, and none once it has ended', async () => {
    const { key: first } = await make('changing');
    const { key: second } = await operate<NewKey>('POST', '/changing/rotate', {});
    for (const key of [first, second]) expect((await list(key)).status).toBe(200);
    const { key: third } = await operate<NewKey>('POST', '/changing/rotate', { overlapSeconds: 0 });
    await wrong(first);
    await wrong(second);
    expect((await list(third)).status).toBe(200);
    await operate('POST', '/changing/end', { reason: 'The contract is over.' });
    await wrong(third);
    const { key: again } = await make('changing');
    expect((await list(again)).status).toBe(200);
  });

  test('is not given a key again that has been replaced, or has ended, since', async () => {
    const client = createClient(service.url);
    const key = (name: string) => ({ operatorKey: OPERATOR_KEY, headers: { 'idempotency-key': name } });
    const json = { partner: 'repeating' };
    const repeat = () =>
      client.call<NewKey & Problem>('POST', '/operator/partners', { ...key('make'), json });
    const rotate = () =>
      client.call<NewKey & Problem>('POST', '/operator/partners/repeating/rotate', {
        ...key('rotate'),
        json: {},
      });
    const made = await repeat();
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect((await repeat()).body).toEqual(made.body);
    const rotated = await rotate();
    const again = await repeat();
    expect([again.status, again.body.code]).toEqual([409, 'PARTNER_KEY_REPLACED']);
    expect((await rotate()).body).toEqual(rotated.body);
    await operate('POST', '/repeating/end', { reason: 'The contract is over.' });
    expect((await rotate()).body.code).toBe('PARTNER_KEY_REPLACED');
  });

  test('has no name of another, and cannot be changed before it is made', async () => {
    const client = createClient(service.url);
    const json = { partner: 'Twice' };
    await make('twice');
    const options = { operatorKey: OPERATOR_KEY };
    await client.refusal('PARTNER_EXISTS', 'POST', '/operator/partners', { ...options, json });
    const rotate = '/operator/partners/nobody/rotate';
    await client.refusal('PARTNER_NOT_FOUND', 'POST', rotate, { ...options, json: {} });
    const quotas = [{ policy: 'operator', calls: 1, windowSeconds: 60 }];
    const { details } = await client.refusal('VALIDATION_FAILED', 'POST', '/operator/partners', {
      ...options,
      json: { partner: 'guessing', quotas },
    });
    expect(details?.map(({ path }) => path)).toEqual([['quotas', '0', 'policy']]);
  });
});

describe('a partner', () => {
  interface Listed {
    readonly tokens: readonly { readonly mintAddress: string; readonly partner: string | null }[];
    readonly next?: string | null;
  }

  test('keeps its tokens: lists, details and its own list show them, and nobody else is told they are its', async () => {
    const creator = await openCreator(service);
    const { client } = creator;
    const headers = { 'x-partner-key': (await newPartner('prolific')).key };
    const createWith = async (sent: Record<string, string>) => {
      const json = await creator.tokenInput();
      const draft = await creator.call<Draft>('POST', '/tokens/create-unsigned', { json, headers: sent });
      return (await creator.submit(draft.body)).mintAddress;
    };
    const own = [await createWith(headers), await createWith(headers), await createWith(headers)];
    const alone = await createWith({});

    const detailOf = async (mint: string) =>
      (await client.ask<{ token: { partner: string | null } }>('GET', `/tokens/${mint}`)).token.partner;
    expect([await detailOf(own[0] ?? ''), await detailOf(alone)]).toEqual(['prolific', null]);
    const mints = ({ tokens }: Listed) => tokens.map(({ mintAddress }) => mintAddress);
    const descending = own.toReversed();
    const listed = await client.ask<Listed>('GET', '/tokens?partner=prolific');
    expect(listed.tokens.map(({ partner }) => partner)).toEqual(['prolific', 'prolific', 'prolific']);
    expect(mints(listed)).toEqual(descending);
    expect(mints(await client.ask<Listed>('GET', '/tokens?partner=nobody'))).toEqual([]);
    const both = `/tokens?partner=prolific&creator=${creator.address}`;
    expect(mints(await client.ask<Listed>('GET', both))).toEqual(descending);
    expect(mints(await client.ask<Listed>('GET', `${both}&limit=2&page=2`))).toEqual(descending.slice(2));

    const first = await client.ask<Listed>('GET', '/partner/tokens?limit=2', { headers });
    const second = await client.ask<Listed>('GET', `/partner/tokens?limit=2&after=${first.next}`, {
      headers,
    });
    expect([...mints(first), ...mints(second)]).toEqual(descending);
    expect(second.next).toBeNull();
    const hide = { operatorKey: OPERATOR_KEY, json: { reason: 'A copy.' } };
    await client.ask('POST', `/operator/tokens/${own[1]}/hide`, hide);
    const [newest, , oldest] = descending;
    expect(mints(await client.ask<Listed>('GET', '/partner/tokens', { headers }))).toEqual([newest, oldest]);
    expect(mints(await client.ask<Listed>('GET', '/tokens?partner=prolific'))).toEqual([newest, oldest]);
    const other = { headers: { 'x-partner-key': (await newPartner('beside')).key } };
    expect(mints(await client.ask<Listed>('GET', '/partner/tokens', other))).toEqual([]);
    await client.refusal('VALIDATION_FAILED', 'GET', `/partner/tokens?after=${first.next}`, other);
  });

  test('is told what it has called, what was refused, and what is left', async () => {
    const quotas = [{ policy: 'general', calls: 4, windowSeconds: 900 }];
    const { key } = await newPartner('frugal', { quotas });
    const client = createClient(service.url);
    await client.call('GET', '/tokens', withKey(key));
    await client.refusal('TOKEN_NOT_FOUND', 'GET', `/tokens/${creators[0]?.address}`, withKey(key));
    const { body: usage, headers } = await client.call<Usage>('GET', '/partner/usage', withKey(key));
    // No cache may keep it: it is the partner's alone.
    expect(headers.get('cache-control')).toBe('no-store');
    expect(usage).toMatchObject({
      partner: 'frugal',
      calls: 2,
      byStatus: [
        { httpStatus: 200, calls: 1 },
        { httpStatus: 404, calls: 1 },
      ],
      refusals: [{ code: 'TOKEN_NOT_FOUND', calls: 1 }],
    });
    expect(usage.quotas).toContainEqual({
      policy: 'general',
      calls: 4,
      windowSeconds: 900,
      remaining: 1,
      endsAt: expect.any(String),
      refused: 0,
    });
  });

  test('is told its calls of before a restart', async () => {
    const environment = { PARTNER_KEYS, NONCE_ACCOUNTS_MIN: '0' };
    const folder = await folderForTheFile();
    const before = await openTestService(environment, { folder });
    const asked = async (url: string) =>
      (await createClient(url).call<Usage>('GET', '/partner/usage', withKey(OTHER_KEY))).body;
    await createClient(before.url).call('GET', '/tokens', withKey(OTHER_KEY));
    expect(await asked(before.url)).toMatchObject({ calls: 1 });
    await before.close();
    const after = await openTestService(environment, { folder });
    expect(await asked(after.url)).toMatchObject({ calls: 2 });
    expect(await asked(after.url)).toMatchObject({ calls: 3 });
  });

  async function newPartner(partner: string, more: object = {}): Promise<NewKey> {
    const client = createClient(service.url);
    return client.ask<NewKey>('POST', '/operator/partners', {
      operatorKey: OPERATOR_KEY,
      json: { partner, ...more },
    });
  }
});

interface Usage {
  readonly calls: number;
  readonly quotas: readonly object[];
}
