/** A token's distribution settings over HTTP: read, changed, guarded against lost updates, and remembered. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, CallOptions, Problem } from '../support/client.ts';
import { type Creator, openCreator, type SubmittedToken } from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';

type Settings = Readonly<Record<string, unknown>>;

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

/** What callers caused to be recorded while it ran. */
async function recordedDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = service.recorded.length;
  await work();
  return service.recorded.slice(before).map(({ type }) => type);
}

describe('the settings', () => {
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
