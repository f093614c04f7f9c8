/** A token's distribution settings over HTTP: read, changed, guarded against lost updates, and remembered. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import * as answers from '../support/answers.ts';
import { type Answer, type CallOptions, createClient, type Problem } from '../support/client.ts';
import { type Creator, creatorWith, openCreator, type SubmittedToken, signIn } from '../support/creator.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';

type Settings = { readonly [field in keyof typeof answers.settings]: unknown };

interface Change {
  readonly position: string;
  readonly changedAt: string;
  readonly changedBy: string;
  readonly before: Partial<Settings> | null;
  readonly after: Partial<Settings>;
}

interface History {
  readonly changes: readonly Change[];
  readonly pagination: { readonly total: number; readonly page: number; readonly totalPages: number };
  readonly next: string | null;
}

let service: TestService;
let owner: Creator;
let stranger: Creator;
let created: SubmittedToken;
let path: string;
let atBirth: Settings;

beforeAll(async () => {
  service = await openTestService();
  [owner, stranger] = await Promise.all([openCreator(service), openCreator(service, { sol: 0 })]);
});

beforeEach(async () => {
  created = await owner.createToken({ burnPercent: 10.29, developerFeePercent: 5 });
  path = `/distribution/${created.token.id}/settings`;
  atBirth = {
    rewardToken: 'SOL',
    distributionModel: 'proportional',
    minimumHoldingRequirement: '0',
    percentageToSellPerDistribution: 100,
    distributionEnabled: true,
    distributionInterval: '1h',
    burnPercent: 10.29,
    developerFeePercent: 5,
    developerWallet: owner.address,
    telegramGroupId: null,
  };
});

const tagOf = ({ headers }: Answer<unknown>): string => headers.get('etag') ?? '';
const read = (options: CallOptions = {}) => owner.call<Settings>('GET', path, options);
const change = (json: object, headers: Readonly<Record<string, string>> = {}) =>
  owner.call<Settings & Problem>('PATCH', path, { json, headers });
const history = (query = '') =>
  owner.client.ask<History>('GET', `${path}/history${query}`, { token: owner.token });

/** What callers caused to be recorded while it ran. */
async function recordedDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = service.recorded.length;
  await work();
  return service.recorded.slice(before).map(({ type }) => type);
}

describe('the settings', () => {
  test('are at first what the token was created with, in exactly the fields of the contract', async () => {
    const { status, body, headers } = await read();
    expect([status, body]).toStrictEqual([200, answers.settings]);
    expect(body).toEqual(atBirth);
    expect(Object.keys(body)).toEqual(Object.keys(answers.settings));
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]+"$/);
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  test('are the same by the id of the token and by its mint address', async () => {
    const byId = await read();
    const byMint = await owner.call('GET', `/distribution/${created.mintAddress}/settings`);
    expect(byMint.bytes).toEqual(byId.bytes);
    expect(tagOf(byMint)).toBe(tagOf(byId));
    const changed = await owner.call('PATCH', `/distribution/${created.mintAddress}/settings`, {
      json: { burnPercent: 1 },
    });
    expect(changed.body).toEqual({ ...atBirth, burnPercent: 1 });
    expect((await read()).bytes).toEqual(changed.bytes);
  });

  test('change as a whole, and are read as they were answered', async () => {
    const wished: Settings = {
      rewardToken: created.mintAddress,
      distributionModel: 'square-root',
      minimumHoldingRequirement: '18446744073709551615',
      percentageToSellPerDistribution: 0.07,
      distributionEnabled: false,
      distributionInterval: '24h',
      burnPercent: 0.29,
      developerFeePercent: 99.71,
      developerWallet: stranger.address,
      telegramGroupId: '-1001234567890',
    };
    const changed = await change(wished);
    expect([changed.status, changed.body]).toEqual([200, wished]);
    const after = await read({ headers: { 'x-after-position': changed.headers.get('x-position') ?? '' } });
    expect(after.bytes).toEqual(changed.bytes);
    expect(tagOf(after)).toBe(tagOf(changed));
  });

  test('show in the token and in the own list, but for what is not public', async () => {
    const detail = () =>
      owner.client.ask<{ token: Record<string, unknown> }>('GET', `/tokens/${created.mintAddress}`);
    const { token: before } = await detail();
    const shown = {
      burnPercent: 1,
      developerFeePercent: 2,
      developerWallet: stranger.address,
      distributionInterval: '5m',
      distributionEnabled: false,
    };
    await change({ ...shown, telegramGroupId: '@levy', rewardToken: created.mintAddress });
    const { token: after } = await detail();
    const { nextDistributionAt: _disabled, ...rest } = before;
    const now = {
      ...shown,
      distributionState: 'disabled',
      rewardToken: created.mintAddress,
      updatedAt: expect.any(String),
    };
    expect(after).toEqual({ ...rest, ...now });
    const [{ changedAt } = { changedAt: '' }] = (await history()).changes;
    expect(after.updatedAt).toBe(changedAt);

    const own = await owner.call<{ tokens: Record<string, unknown>[] }>('GET', '/tokens/me');
    expect(own.body.tokens.find(({ id }) => id === created.token.id)?.distributionEnabled).toBe(false);
  });
});

describe('who may', () => {
  const everyCall = (token: string) =>
    [
      ['GET', `/distribution/${token}/settings`, {}],
      ['GET', `/distribution/${token}/settings/history`, {}],
      ['PATCH', `/distribution/${token}/settings`, { json: { burnPercent: 1 } }],
    ] as const;

  test('is the creator alone: a stranger is refused alike whatever they send, and learns nothing', async () => {
    const tag = tagOf(await read());
    const recorded = await recordedDuring(async () => {
      for (const token of [created.token.id, created.mintAddress]) {
        for (const [method, url, options] of everyCall(token)) {
          const sent: CallOptions[] = [
            options,
            ...[tag, '"other"', 'unquoted', '*'].map((value) => ({
              ...options,
              headers: { 'if-match': value, 'if-none-match': value },
            })),
            ...(method === 'GET' ? [] : [{ json: atBirth }, { json: { burnPercent: 99.999 } }]),
          ];
          for (const each of sent) {
            const { status, body, headers } = await stranger.call<Problem>(method, url, each);
            expect([method, url, status, body.code]).toEqual([method, url, 403, 'NOT_TOKEN_CREATOR']);
            expect(headers.get('etag')).toBeNull();
            expect(JSON.stringify(body)).not.toContain(owner.address);
          }
        }
      }
    });
    expect(recorded).toEqual([]);
  });

  test('is nobody without an access token', async () => {
    for (const [method, url, options] of everyCall(created.token.id)) {
      await owner.client.refusal('UNAUTHENTICATED', method, url, options);
    }
  });
});

describe('a change that is not allowed', () => {
  test('is answered with its code, and records nothing', async () => {
    const recorded = await recordedDuring(async () => {
      for (const [code, json] of [
        ['VALIDATION_FAILED', { burnPercent: 0.001 }],
        ['INVALID_ADDRESS', { rewardToken: 'USDC' }],
        ['REWARD_TOKEN_UNSUPPORTED', { rewardToken: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }],
        ['SPLIT_EXCEEDS_100', { burnPercent: 50, developerFeePercent: 50.01 }],
      ] as const)
        await owner.client.refusal(code, 'PATCH', path, { token: owner.token, json });
    });
    expect(recorded).toEqual([]);
    expect((await read()).body).toEqual(atBirth);
  });
});

describe('lost updates', () => {
  test('do not happen to who says what they saw: of two with the same tag one wins', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const tag = tagOf(await read());
      let results: Answer<Settings & Problem>[] = [];
      const recorded = await recordedDuring(async () => {
        results = await Promise.all([
          change({ burnPercent: round }, { 'if-match': tag }),
          change({ developerFeePercent: round + 20 }, { 'if-match': tag }),
          change({ percentageToSellPerDistribution: round }, { 'if-match': tag }),
        ]);
      });
      const won = results.filter(({ status }) => status === 200);
      const lost = results.filter(({ status }) => status !== 200);
      expect(won).toHaveLength(1);
      expect(lost.map(({ status, body }) => [status, body.code])).toEqual(
        Array(2).fill([412, 'PRECONDITION_FAILED']),
      );
      expect(recorded).toEqual(['DistributionSettingsUpdated']);
      expect((await read()).body).toEqual(won[0]?.body);
    }
  });

  test('do not happen to who asks for different things at once, whatever they saw', async () => {
    const [one, other] = await Promise.all([
      change({ burnPercent: 1 }),
      change({ distributionInterval: '6h' }),
    ]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect((await read()).body).toEqual({ ...atBirth, burnPercent: 1, distributionInterval: '6h' });
  });

  test('do not slip past the rules: each is decided on what the other left', async () => {
    const results = await Promise.all([change({ burnPercent: 60 }), change({ developerFeePercent: 60 })]);
    const codes = results.map(({ status, body }) => (status === 200 ? 'done' : body.code));
    expect(codes.sort()).toEqual(['SPLIT_EXCEEDS_100', 'done']);
  });
});

describe('who holds the settings already', () => {
  test('is told so, without a body, until they change', async () => {
    const tag = tagOf(await read());
    for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, bytes, headers } = await read({ headers: { 'if-none-match': held } });
      expect([held, status, bytes.length, headers.get('etag')]).toEqual([held, 304, 0, tag]);
    }
    await change({ burnPercent: 1 });
    const { status, body } = await read({ headers: { 'if-none-match': tag } });
    expect([status, body]).toEqual([200, { ...atBirth, burnPercent: 1 }]);
  });

  test('may ask for the head alone', async () => {
    const tag = tagOf(await read());
    const authorization = `Bearer ${owner.token}`;
    for (const [held, status] of [
      [tag, 304],
      ['"other"', 200],
    ] as const) {
      const head = await exchange(
        service.url,
        requestText('HEAD', path, { authorization, 'if-none-match': held }),
      );
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([status, '', tag]);
    }
  });
});

describe('the history', () => {
  test('tells who changed what, when, from what and to what, newest first', async () => {
    const first = await change({ burnPercent: 0.29, telegramGroupId: '@levy', rewardToken: 'SOL' });
    const second = await change({ telegramGroupId: null });
    const told = await history();
    expect(told).toStrictEqual({
      changes: [
        {
          position: second.headers.get('x-position'),
          changedAt: answers.timestamp,
          changedBy: owner.address,
          before: { telegramGroupId: '@levy' },
          after: { telegramGroupId: null },
        },
        {
          position: first.headers.get('x-position'),
          changedAt: answers.timestamp,
          changedBy: owner.address,
          before: { burnPercent: 10.29, telegramGroupId: null },
          after: { burnPercent: 0.29, telegramGroupId: '@levy' },
        },
        {
          position: expect.any(String),
          changedAt: created.token.createdAt,
          changedBy: owner.address,
          before: null,
          after: atBirth,
        },
      ],
      pagination: { total: 3, page: 1, limit: 20, totalPages: 1 },
      next: null,
    });
    const byMint = await owner.call('GET', `/distribution/${created.mintAddress}/settings/history`);
    expect(byMint.body).toEqual(told);
  });

  test('gives every change once over its pages, and laid over each other they give the settings', async () => {
    const changes = 12;
    for (let percent = 1; percent <= changes; percent += 1) {
      await change(percent % 3 === 0 ? { developerFeePercent: percent } : { burnPercent: percent });
    }
    const whole = (await history('?limit=100')).changes;
    expect(whole).toHaveLength(changes + 1);
    for (const limit of [1, 5, 13]) {
      const pages = Math.ceil(whole.length / limit);
      const found: Change[] = [];
      for (let page = 1; page <= pages; page += 1) {
        const { changes: some, pagination } = await history(`?page=${page}&limit=${limit}`);
        expect(pagination).toEqual({ total: whole.length, page, limit, totalPages: pages });
        found.push(...some);
      }
      expect(found).toEqual(whole);
      const walked: Change[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const page = await history(`?limit=${limit}${next && `&after=${next}`}`);
        walked.push(...page.changes);
        next = page.next;
      }
      expect(walked).toEqual(whole);
    }
    expect(await history('?page=1000000000&limit=100')).toMatchObject({ changes: [] });
    const positions = whole.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort().reverse());

    let settings = {};
    for (const { before, after } of whole.toReversed()) {
      expect(settings).toMatchObject(before ?? {});
      settings = { ...settings, ...after };
    }
    expect(settings).toEqual((await read()).body);
  });
});

describe('an Idempotency-Key', () => {
  test('gives the first answer again, also after another change and with a tag that is outdated by then', async () => {
    const headers = { 'idempotency-key': `key-${created.token.id}`, 'if-match': tagOf(await read()) };
    const first = await change({ burnPercent: 1 }, headers);
    expect(first.status).toBe(200);
    await change({ burnPercent: 2 });
    const recorded = await recordedDuring(async () => {
      const again = await change({ burnPercent: 1 }, headers);
      expect([again.status, again.bytes]).toEqual([200, first.bytes]);
      expect(tagOf(again)).toBe(tagOf(first));
      const other = await change({ burnPercent: 3 }, headers);
      expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    });
    expect(recorded).toEqual([]);
    expect((await read()).body).toMatchObject({ burnPercent: 2 });
  });

  test('makes one change of several calls at once', async () => {
    const headers = { 'idempotency-key': `key-${created.token.id}` };
    const calls = await Promise.all(Array.from({ length: 4 }, () => change({ burnPercent: 1 }, headers)));
    for (const { status, bytes } of calls) expect([status, bytes]).toEqual([200, calls[0]?.bytes]);
    expect((await history()).pagination.total).toBe(2);
  });
});

test('everything is as it was after a restart, and after the read models were made again from the log', async () => {
  const folder = await folderForTheFile();
  const environment = {
    READ_MODEL_URL: `sqlite:${join(folder, 'read.db')}`,
    PUBLIC_URL: 'http://levy.example',
    NONCE_ACCOUNTS_MIN: '2',
  };
  let running = await openTestService(environment, { folder });
  const first = await openCreator(running);
  const { token, mintAddress } = await first.createToken({ burnPercent: 10 });
  const url = `/distribution/${token.id}/settings`;
  let position = '';
  for (const json of [{ burnPercent: 20 }, { telegramGroupId: '@levy' }, { burnPercent: 30 }]) {
    const changed = await first.call('PATCH', url, { json });
    position = changed.headers.get('x-position') ?? '';
    // The read model is a file of its own here, and so a moment behind the log.
    const seen = await first.call('GET', url, { headers: { 'x-after-position': position } });
    expect([seen.bytes, tagOf(seen)]).toEqual([changed.bytes, tagOf(changed)]);
  }
  const everything = async (creator: Creator) => {
    const paths = [url, `${url}/history`, `/tokens/${mintAddress}`, '/tokens/me'];
    const headers = { 'x-after-position': position };
    return Promise.all(paths.map(async (each) => (await creator.call('GET', each, { headers })).body));
  };
  const before = await everything(first);
  for (const forget of [false, true]) {
    await running.close();
    if (forget) {
      for (const suffix of ['', '-wal', '-shm']) await rm(join(folder, `read.db${suffix}`), { force: true });
    }
    running = await openTestService(environment, { folder });
    const client = createClient(running.url);
    const session = await signIn(client, first.keypair);
    expect(await everything(creatorWith({ client, keypair: first.keypair, token: session.token }))).toEqual(
      before,
    );
  }
});
