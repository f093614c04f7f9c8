// What is told of tokens: the list and its pages, one's own, and one in full.
import { describe, expect, test } from 'vitest';
import { RawAnswer, type TaggedAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import { getToken } from '../../../src/queries/get-token.ts';
import { getTotals } from '../../../src/queries/get-totals.ts';
import { listHiddenTokens } from '../../../src/queries/list-hidden-tokens.ts';
import { listOwnTokens } from '../../../src/queries/list-own-tokens.ts';
import { listTokens } from '../../../src/queries/list-tokens.ts';
import { RunClosed, RunOpened } from '../../../src/streams/distribution.ts';
import { HoldersScanned, TaxSplit } from '../../../src/streams/distribution-run.ts';
import { LaunchStarted } from '../../../src/streams/launch.ts';
import {
  DistributionSettingsUpdated,
  TokenCreated,
  TokenCreationReverted,
  TokenHidden,
  TokenShown,
} from '../../../src/streams/token.ts';
import {
  allHalted,
  holdersScanned,
  runClosed,
  runId,
  runOpened,
  taxSplit,
} from '../../support/distribution-examples.ts';
import { addresses, token, tokenCreated } from '../../support/domain-examples.ts';
import {
  issuedLaunchDraft,
  launchDraftIssued,
  launchSubject,
  startedLaunch,
} from '../../support/launch-examples.ts';
import { promotionId, promotionStarted } from '../../support/promotion-examples.ts';
import { type Asked, answering } from '../../support/query-spec.ts';
import { type Happening, happening } from '../../support/recorded-events.ts';

/** The id of the first follows from the mint address that all examples have, as a real one does. */
const idOf = (number: number) =>
  number === 1 ? deriveId('token', addresses.mint) : deriveId('example token', String(number));

/** Odd ones are the creator's, even ones the other creator's. */
function created(number: number): Happening {
  const subject = { ...token, tokenId: idOf(number), name: `Number ${number}`, symbol: `N${number % 3}` };
  const creator = number % 2 === 1 ? addresses.creator : addresses.otherCreator;
  return happening(idOf(number), TokenCreated({ ...tokenCreated.data, creator, token: subject }));
}

function reverted(number: number): Happening {
  const { transactionId } = tokenCreated.data;
  return happening(idOf(number), TokenCreationReverted({ tokenId: idOf(number), transactionId }));
}

const hide = (number: number) =>
  happening(idOf(number), TokenHidden({ tokenId: idOf(number), reason: 'a copy' }));
const show = (number: number) => happening(idOf(number), TokenShown({ tokenId: idOf(number), reason: null }));

const five = [1, 2, 3, 4, 5].map(created);

interface Page {
  readonly tokens: readonly { readonly name: string; readonly [field: string]: unknown }[];
  readonly pagination?: object;
  readonly next: string | null;
}

/** A page of tokens, whether it was rendered before or not. */
async function pageOf(answer: Promise<unknown>): Promise<Page> {
  const page = await answer;
  return (page instanceof RawAnswer ? JSON.parse(page.text) : page) as Page;
}

async function listed(
  happenings: readonly Happening[],
  query: Asked['query'] = {},
  list: typeof listTokens | typeof listHiddenTokens = listTokens,
) {
  const ask = await answering(happenings);
  const { tokens, ...rest } = await pageOf(ask(list, { query }));
  return { names: tokens.map(({ name }) => name), ...rest };
}

const named = (...numbers: readonly number[]) => numbers.map((number) => `Number ${number}`);

describe('the list of tokens', () => {
  test('comes in pages, the last one shorter, and empty ones behind it', async () => {
    const pagination = { total: 5, limit: 2, totalPages: 3 };
    expect(await listed(five, { page: 2, limit: 2 })).toMatchObject({
      names: named(3, 2),
      pagination: { ...pagination, page: 2 },
      next: idOf(2),
    });
    expect(await listed(five, { page: 3, limit: 2 })).toMatchObject({ names: named(1), next: null });
    expect(await listed(five, { page: 4, limit: 2 })).toMatchObject({
      names: [],
      pagination: { ...pagination, page: 4 },
    });
  });

  test('has no pages when there is nothing', async () => {
    expect(await listed([])).toMatchObject({
      names: [],
      pagination: { total: 0, page: 1, limit: 20, totalPages: 0 },
    });
  });

  test('is of one creator when it is asked for', async () => {
    expect(await listed(five, { creator: addresses.otherCreator, limit: 1 })).toMatchObject({
      names: named(4),
      pagination: { total: 2, page: 1, limit: 1, totalPages: 2 },
    });
    expect(await listed(five, { creator: addresses.mint })).toMatchObject({ names: [] });
  });

  test('finds by any part of a name or symbol, ignoring case and blanks around', async () => {
    expect(await listed(five, { search: 'number 3' })).toMatchObject({ names: named(3) });
    expect(await listed(five, { search: ' n1 ' })).toMatchObject({ names: named(4, 1) });
    expect(await listed(five, { search: 'n', creator: addresses.creator })).toMatchObject({
      names: named(5, 3, 1),
    });
    expect(await listed(five, { search: 'umber 2' })).toMatchObject({ names: named(2) });
    expect(await listed(five, { search: 'Number 34' })).toMatchObject({ names: [] });
    expect(await listed(five, { search: '   ' })).toMatchObject({ names: named(5, 4, 3, 2, 1) });
  });

  test('leaves out what is hidden, also of a creator’s list and of a search', async () => {
    const happenings = [...five, hide(3)];
    expect(await listed(happenings)).toMatchObject({ names: named(5, 4, 2, 1), pagination: { total: 4 } });
    expect(await listed([...happenings, hide(5), show(3)])).toMatchObject({ names: named(4, 3, 2, 1) });
    const ofCreator = { creator: addresses.creator };
    expect(await listed(happenings, ofCreator)).toMatchObject({
      names: named(5, 1),
      pagination: { total: 2 },
    });
    expect(await listed(happenings, { search: 'number 3' })).toMatchObject({ names: [] });
    expect(await listed(happenings, { search: 'n', ...ofCreator })).toMatchObject({ names: named(5, 1) });
  });
});

describe('the list of tokens, by cursor and filter', () => {
  const selfPaid = { ...token, tokenId: idOf(6), name: 'Number 6', rewardToken: 'SELF', partner: 'acme' };
  const launch = { ...startedLaunch.launch, tokenId: idOf(2) };
  const promoting = promotionStarted({ promotion: { tokenId: idOf(1) } });
  const six = [
    ...five,
    happening(idOf(6), TokenCreated({ ...tokenCreated.data, token: selfPaid })),
    happening(idOf(2), LaunchStarted({ ...startedLaunch, launch })),
  ];

  test('goes on behind a token, whatever is made meanwhile', async () => {
    expect((await listed(five, { limit: 2 })).names).toEqual(named(5, 4));
    expect(await listed(six, { after: idOf(4), limit: 2 })).toMatchObject({
      names: named(3, 2),
      next: idOf(2),
    });
    expect(await listed(six, { after: idOf(2), limit: 2 })).toMatchObject({ names: named(1), next: null });
    expect(await listed(six, { after: deriveId('example token', 'none') })).toMatchObject({
      names: [],
      next: null,
    });
  });

  test('goes on behind a page of a search, whatever is made and hidden meanwhile', async () => {
    const page = (happenings: readonly Happening[], query: Asked['query']) =>
      listed(happenings, { search: 'number', limit: 2, ...query });
    const first = await page(five, {});
    expect(first).toMatchObject({ names: named(5, 4), pagination: { total: 5, page: 1 }, next: idOf(4) });
    const meanwhile = [...six, hide(4)];
    const second = await page(meanwhile, { after: first.next });
    expect(second).toMatchObject({ names: named(3, 2), pagination: { total: 5, page: 1 }, next: idOf(2) });
    expect(await page(meanwhile, { after: second.next })).toMatchObject({ names: named(1), next: null });
    const ofCreator = { creator: addresses.creator, after: idOf(5) };
    expect(await page(five, ofCreator)).toMatchObject({ names: named(3, 1), next: null });
  });

  test.each([
    ['what is paid', { rewardToken: 'SELF' }, [6]],
    ['the state of the launch', { launchState: 'active' }, [2]],
    ['the creator as well', { rewardToken: 'SOL', creator: addresses.otherCreator }, [4, 2]],
    ['the partner as well', { rewardToken: 'SELF', partner: 'acme' }, [6]],
    ['creator and partner', { creator: addresses.creator, partner: 'acme' }, [6]],
    ['partner and another creator', { creator: addresses.otherCreator, partner: 'acme' }, []],
    ['three of them', { rewardToken: 'SOL', creator: addresses.otherCreator, launchState: 'none' }, [4]],
  ] as const)('is narrowed by %s', async (_what, query, numbers) => {
    expect(await listed(six, query)).toMatchObject({ names: named(...numbers), next: null });
    expect(await listed([...six, hide(2), hide(6)], query)).toMatchObject({
      names: named(...numbers.filter((number) => number !== 2 && number !== 6)),
      next: null,
    });
  });

  test('holds those that are promoted now, narrowed as well, and none that are hidden', async () => {
    const promoted = [...five, happening('list', promoting)];
    const ask = await answering(promoted);
    const shown = async (query: Asked['query'], now: string) => {
      const { tokens } = await pageOf(ask(listTokens, { query: { featured: 'true', ...query }, now }));
      return tokens.map(({ name }) => name);
    };
    expect(await shown({}, '2026-05-04T10:00:00.000Z')).toEqual(named(1));
    expect(await shown({}, '2026-05-04T09:59:59.999Z')).toEqual([]);
    expect(await shown({ rewardToken: 'SELF' }, '2026-05-04T10:00:00.000Z')).toEqual([]);
    expect(await listed([...promoted, hide(1)], { featured: 'true' })).toMatchObject({
      names: [],
      next: null,
    });
  });

  test('finds by the beginning of a mint address alone', async () => {
    expect(await listed(five, { search: addresses.mint.slice(0, 9) })).toMatchObject({
      names: named(5, 4, 3, 2, 1),
    });
    expect(await listed(five, { search: addresses.mint.slice(3, 12) })).toMatchObject({ names: [] });
  });
});

test('operators see what is hidden, since when, why and by whom', async () => {
  const ask = await answering([...five, hide(2), hide(3), show(2)]);
  expect(await pageOf(ask(listHiddenTokens))).toEqual({
    tokens: [
      {
        tokenId: idOf(3),
        mintAddress: addresses.mint,
        name: 'Number 3',
        symbol: 'N0',
        imageUri: token.imageUri,
        creator: addresses.creator,
        createdAt: '2026-05-04T10:00:00.000Z',
        hiddenAt: '2026-05-04T10:00:00.000Z',
        hiddenBy: expect.any(String),
        reason: 'a copy',
      },
    ],
    pagination: { total: 1, page: 1, limit: 20, totalPages: 1 },
    next: null,
  });
});

test('operators go on behind a page of what is hidden, whatever is hidden and shown meanwhile', async () => {
  const page = (happenings: readonly Happening[], query: Asked['query']) =>
    listed(happenings, query, listHiddenTokens);
  const hidden = [...five, hide(2), hide(5), hide(1), hide(4)];
  const first = await page(hidden, { limit: 2 });
  expect(first).toMatchObject({ names: named(4, 1), next: idOf(1) });
  const meanwhile = [...hidden, hide(3), show(1)];
  expect(await page(meanwhile, { limit: 1, after: first.next })).toMatchObject({
    names: named(5),
    next: idOf(5),
  });
  expect(await page(meanwhile, { after: idOf(5) })).toMatchObject({ names: named(2), next: null });
  expect(await page(meanwhile, { page: 2, limit: 2 })).toMatchObject({ names: named(5, 2), next: null });
  expect(await page(meanwhile, { page: 7, after: idOf(5) })).toMatchObject({ names: named(2), next: null });
});

test('one’s own tokens come in pages where a limit says so', async () => {
  const actor = addresses.creator;
  const own = async (happenings: readonly Happening[], query: Asked['query']) =>
    pageOf((await answering(happenings))(listOwnTokens, { actor, query }));
  const first = await own(five, { limit: 2 });
  expect(first).toMatchObject({ tokens: named(5, 3).map((name) => ({ name })), next: idOf(3) });
  const { tokens, next } = await own([...five, created(7)], { limit: 2, after: first.next });
  expect([tokens.map(({ name }) => name), next]).toEqual([named(1), null]);
  for (const after of [idOf(2), idOf(9)])
    await expect(own(five, { after })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('one’s own tokens are newest first, and nobody else’s, and say where they are hidden', async () => {
  const ask = await answering([...five, hide(3), hide(5), show(5)]);
  const own = await pageOf(ask(listOwnTokens, { actor: addresses.creator }));
  expect(own.tokens).toMatchObject([
    { name: 'Number 5' },
    { name: 'Number 3', hidden: true },
    { name: 'Number 1' },
  ]);
  expect(own.tokens[0]).toEqual({
    id: idOf(5),
    mintAddress: addresses.mint,
    name: 'Number 5',
    symbol: 'N2',
    imageUri: token.imageUri,
    distributionEnabled: true,
    createdAt: '2026-05-04T10:00:00.000Z',
  });
  expect(await ask(listOwnTokens, { actor: addresses.mint })).toStrictEqual({ tokens: [], next: null });
});

const RUN = [
  happening(idOf(1), RunOpened({ ...runOpened.data, tokenId: idOf(1) }), '2026-05-04T11:00:50.000Z'),
  happening(
    runId,
    HoldersScanned({ ...holdersScanned.data, tokenId: idOf(1), supply: '18446744073709551000' }),
    '2026-05-04T11:00:51.000Z',
  ),
  happening(
    runId,
    TaxSplit({ ...taxSplit.data, tokenId: idOf(1), burned: '100' }),
    '2026-05-04T11:00:52.000Z',
  ),
  happening(idOf(1), RunClosed({ ...runClosed.data, tokenId: idOf(1) }), '2026-05-04T11:01:00.000Z'),
];

describe('how the distribution of a listed token stands', () => {
  const toHolders = { sol: '77890000', token: '0' };
  const ATTRIBUTES = {
    supply: token.supply,
    currentSupply: { amount: '18446744073709550900', burned: '715', at: '2026-05-04T11:00:52.000Z' },
    holderCount: holdersScanned.data.owners,
    paidToHolders: { lifetime: toHolders, last24Hours: toHolders, last7Days: toHolders },
    launchState: 'none',
    featured: null,
    rewardToken: 'SOL',
    lastDistributionAt: '2026-05-04T11:01:00.000Z',
  };

  test('is told by the list and by its page alike', async () => {
    const ask = await answering([created(1), ...RUN]);
    const now = '2026-05-04T11:30:00.000Z';
    const expected = {
      ...ATTRIBUTES,
      distributionState: 'idle',
      nextDistributionAt: '2026-05-04T12:00:00.000Z',
    };
    const list = (await ask(listTokens, { now })) as RawAnswer;
    expect(JSON.parse(list.text).tokens).toMatchObject([expected]);
    expect(list.text).not.toContain('lastDueAt');
    const page = await ask(getToken, { params: { mintAddress: addresses.mint }, now });
    expect(page).toMatchObject({ token: expected });
    expect(page).not.toHaveProperty('token.distribution');
  });

  test('follows the clock and the switch of all, also where the page of the list is kept', async () => {
    const ask = await answering([created(1), ...RUN]);
    const next = async (now: string) =>
      (await pageOf(ask(listTokens, { now }))).tokens[0]?.nextDistributionAt;
    expect(await next('2026-05-04T11:59:59.999Z')).toBe('2026-05-04T12:00:00.000Z');
    expect(await next('2026-05-04T12:00:00.000Z')).toBe('2026-05-04T13:00:00.000Z');
    expect(await next('2026-05-04T11:30:00.000Z')).toBe('2026-05-04T12:00:00.000Z');
    const halted = await answering([created(1), happening('all', allHalted)]);
    const { tokens } = await pageOf(halted(listTokens));
    expect(tokens).toMatchObject([
      {
        distributionState: 'halted',
        currentSupply: { amount: tokens[0]?.supply, burned: '0', at: tokens[0]?.createdAt },
        holderCount: 1,
      },
    ]);
    expect(tokens[0]).not.toHaveProperty('nextDistributionAt');
  });

  test('counts payments of the last 24 hours by the hour, also where the page of the list is kept', async () => {
    const off = DistributionSettingsUpdated({
      tokenId: idOf(1),
      from: { distributionEnabled: true },
      to: { distributionEnabled: false },
    });
    const ask = await answering([created(1), ...RUN, happening(idOf(1), off)]);
    const listedAt = async (now: string) => (await pageOf(ask(listTokens, { now }))).tokens;
    const paying = (last24Hours: object) => [{ paidToHolders: { last24Hours } }];
    expect(await listedAt('2026-05-05T11:59:59.999Z')).toMatchObject(paying(toHolders));
    expect(await listedAt('2026-05-05T12:00:00.000Z')).toMatchObject(paying({ sol: '0' }));
  });

  test('names the promotion that runs, and no longer than it runs', async () => {
    const card = { name: 'Number 1', symbol: 'N1', imageUri: token.imageUri, description: '' };
    const event = promotionStarted({ promotion: { tokenId: idOf(1), card } });
    const started = happening('list', event);
    const ask = await answering([created(1), started]);
    const featured = async (now: string) => (await pageOf(ask(listTokens, { now }))).tokens[0]?.featured;
    const { startsAt, endsAt } = event.data;
    const period = { id: promotionId, startsAt, endsAt };
    expect(await featured(startsAt)).toEqual(period);
    expect(await featured(endsAt)).toBeNull();
    expect(await featured(startsAt)).toEqual(period);
    const before = new Date(Date.parse(startsAt) - 1).toISOString();
    expect(await featured(before)).toBeNull();
  });
});

describe('a page about a token', () => {
  const params = { mintAddress: addresses.mint };
  const launches = { of: async () => undefined };

  test('has the parts that are asked for, and no others', async () => {
    const ask = await answering([created(1), ...RUN]);
    const services = { launches };
    expect(Object.keys(await page({}))).toEqual(['token']);
    expect(Object.keys(await page({ include: 'settings,runs' })).toSorted()).toEqual([
      'runs',
      'settings',
      'token',
    ]);
    const whole = await page({ include: 'tax,runs,launch,featured,settings' });
    expect(whole).toMatchObject({
      tax: {
        paidByAsset: { sol: '89000000', token: '0' },
        paidTo: { toHolders: { sol: '77890000' }, toDeveloper: { sol: '11110000' } },
        paidToHolders: { last24Hours: { sol: '77890000' } },
        averagePaidPerRun: { sol: '77890000', token: '0' },
        holderCount: holdersScanned.data.owners,
        runsClosed: 1,
      },
      runs: { runs: [{ runId, paidTo: runClosed.data.paidTo }], next: null },
      launch: null,
      featured: null,
      settings: { rewardToken: 'SOL', distributionModel: 'proportional' },
    });
    expect(whole).not.toHaveProperty('unavailable');
    expect(JSON.stringify(whole)).not.toContain('telegramGroupId');

    async function page(query: object): Promise<object> {
      const now = '2026-05-04T12:30:00.000Z';
      return (await ask(getToken, { params, query: { ...query }, services, now })) as object;
    }
  });

  test('tells what an unsigned launch is to reach to its creator alone', async () => {
    const drafted = happening(issuedLaunchDraft.transactionId, launchDraftIssued);
    const ask = await answering([created(1), drafted]);
    const target = async (actor: string) => {
      const asked = { params, query: { include: 'launch' }, services: { launches }, actor };
      return ((await ask(getToken, asked)) as { launch: { targetMarketCap: string } }).launch.targetMarketCap;
    };
    expect(await target(addresses.creator)).toBe(launchSubject.targetMarketCap);
    expect(await target(addresses.otherCreator)).toBe('0');
  });

  test('says which part cannot be told now, and tells the others', async () => {
    const started = LaunchStarted({
      ...startedLaunch,
      launch: { ...startedLaunch.launch, tokenId: idOf(1), mintAddress: addresses.mint },
    });
    const ask = await answering([created(1), happening(idOf(1), started)]);
    const query = { include: 'launch,settings' };
    const answer = await ask(getToken, { params, query, services: { launches } });
    expect(answer).toMatchObject({ token: { launchState: 'active' }, unavailable: ['launch'], settings: {} });
    expect(answer).not.toHaveProperty('launch');
  });
});

test('what all tokens have paid to holders is told apart from everything else', async () => {
  const ask = await answering([created(1), created(2), ...RUN]);
  const answer = (await ask(getTotals, { now: '2026-05-05T12:30:00.000Z' })) as TaggedAnswer<object>;
  expect(answer.output).toEqual({
    tokenCount: 2,
    runCount: 1,
    paymentsToHolders: 1,
    proceeds: '100000000',
    // The run was closed at 11:01 on the day before: more than 24 hours ago.
    paidToHolders: {
      lifetime: { sol: '77890000' },
      last24Hours: { sol: '0' },
      last7Days: { sol: '77890000' },
    },
    paidToDevelopers: '11110000',
    costs: '0',
  });
  const hourEarlier = (await ask(getTotals, { now: '2026-05-05T11:59:59.000Z' })) as TaggedAnswer<object>;
  expect(hourEarlier.output).toMatchObject({ paidToHolders: { last24Hours: { sol: '77890000' } } });
  const weekLater = (await ask(getTotals, { now: '2026-05-11T12:00:00.000Z' })) as TaggedAnswer<object>;
  expect(weekLater.output).toMatchObject({ paidToHolders: { last7Days: { sol: '0' } } });
});

describe('one token', () => {
  test('is found by its mint, and told in full', async () => {
    const ask = await answering([created(1)]);
    const answer = await ask(getToken, { params: { mintAddress: addresses.mint } });
    // Decided: the last four are optional in the contract, and public, since the chain tells them too.
    expect(answer).toMatchObject({
      token: {
        id: idOf(1),
        transferFeePercent: 1.23,
        creator: addresses.creator,
        signature: tokenCreated.data.signature,
        rewardToken: 'SOL',
        nextDistributionAt: '2026-05-04T11:00:00.000Z',
      },
    });
    expect(answer).not.toHaveProperty('token.lastDistributionAt');
  });

  test('is there for its creator alone while it is hidden, without the operator’s reason', async () => {
    const ask = await answering([created(1), hide(1)]);
    const params = { mintAddress: addresses.mint };
    for (const actor of ['anonymous', addresses.otherCreator, 'operator:alice']) {
      await expect(ask(getToken, { params, actor })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    }
    const answer = await ask(getToken, { params, actor: addresses.creator });
    expect(answer).toMatchObject({ token: { id: idOf(1), hidden: true } });
    expect(JSON.stringify(answer)).not.toContain('a copy');
  });

  test('is not found when it does not exist, or no longer does', async () => {
    const ask = await answering([created(1), reverted(1)]);
    for (const mintAddress of [addresses.mint, addresses.creator, idOf(1)]) {
      await expect(ask(getToken, { params: { mintAddress } })).rejects.toMatchObject({
        code: 'TOKEN_NOT_FOUND',
      });
    }
  });
});
