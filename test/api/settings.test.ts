/** A token's distribution settings over HTTP: read, changed, guarded against lost updates, and remembered. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import * as answers from '../support/answers.ts';
import { type Answer, type CallOptions, createClient, type Problem } from '../support/client.ts';
import { type Creator, creatorWith, openCreator, type SubmittedToken, signIn } from '../support/creator.ts';
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

test('are told to a stranger neither by a document nor by an entity tag, and not changed by one', async () => {
  const tag = tagOf(await read());
  const attempts = [
    ['GET', path, { headers: { 'if-none-match': tag } }],
    ['GET', `${path}/history`, {}],
    ['PATCH', path, { json: { burnPercent: 1 }, headers: { 'if-match': '"other"' } }],
  ] as const;
  const recorded = await recordedDuring(async () => {
    for (const [method, url, options] of attempts) {
      const { status, body, headers } = await stranger.call<Problem>(method, url, options);
      expect([status, body.code, headers.get('etag')]).toEqual([403, 'NOT_TOKEN_CREATOR', null]);
      expect(JSON.stringify(body)).not.toContain(owner.address);
    }
  });
  expect(recorded).toEqual([]);
});

describe('a change that is not allowed', () => {
  test('is answered with its code, and records nothing', async () => {
    const recorded = await recordedDuring(async () => {
      for (const [code, json] of [
        ['VALIDATION_FAILED', { burnPercent: 0.001 }],
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
    const tag = tagOf(await read());
    let results: Answer<Settings & Problem>[] = [];
    const recorded = await recordedDuring(async () => {
      results = await Promise.all([
        change({ burnPercent: 1 }, { 'if-match': tag }),
        change({ developerFeePercent: 20 }, { 'if-match': tag }),
        change({ percentageToSellPerDistribution: 1 }, { 'if-match': tag }),
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
  });

  test('do not happen to who asks for different things at once, whatever they saw', async () => {
    const [one, other] = await Promise.all([
      change({ burnPercent: 1 }),
      change({ distributionInterval: '6h' }),
    ]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect((await read()).body).toEqual({ ...atBirth, burnPercent: 1, distributionInterval: '6h' });
  });
});

describe('who holds the settings already', () => {
  test('is told so, without a body, until they change', async () => {
    const tag = tagOf(await read());
    const held = await read({ headers: { 'if-none-match': tag } });
    expect([held.status, held.bytes.length, tagOf(held)]).toEqual([304, 0, tag]);
    await change({ burnPercent: 1 });
    const { status, body } = await read({ headers: { 'if-none-match': tag } });
    expect([status, body]).toEqual([200, { ...atBirth, burnPercent: 1 }]);
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
});

test('everything is as it was after a restart that makes the read models again from the log', async () => {
  const folder = await folderForTheFile();
  const environment = {
    READ_MODEL_URL: `sqlite:${join(folder, 'read.db')}`,
    PUBLIC_URL: 'http://levy.example',
    NONCE_ACCOUNTS_MIN: '2',
  };
  const running = await openTestService(environment, { folder });
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
  await running.close();
  for (const suffix of ['', '-wal', '-shm']) await rm(join(folder, `read.db${suffix}`), { force: true });
  const { url: rebuilt } = await openTestService(environment, { folder });
  const client = createClient(rebuilt);
  const { token: session } = await signIn(client, first.keypair);
  expect(await everything(creatorWith({ client, keypair: first.keypair, token: session }))).toEqual(before);
});
