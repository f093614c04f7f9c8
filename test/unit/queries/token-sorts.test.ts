// The list of tokens in the order of what was paid to holders, of market caps, and of the next runs.
import { addressOf as encodeAddress } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { RawAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import { listTokens } from '../../../src/queries/list-tokens.ts';
import { RunClosed } from '../../../src/streams/distribution.ts';
import { HoldersScanned } from '../../../src/streams/distribution-run.ts';
import { LaunchCompleted, LaunchStarted } from '../../../src/streams/launch.ts';
import { TokenCreated, TokenHidden } from '../../../src/streams/token.ts';
import { tokenIdOf } from '../../../src/views/token-access.ts';
import { holdersScanned, runClosed } from '../../support/distribution-examples.ts';
import { addresses, token, tokenCreated } from '../../support/domain-examples.ts';
import { launchCompleted, launchSubject, startedLaunch } from '../../support/launch-examples.ts';
import { promotionStarted } from '../../support/promotion-examples.ts';
import { type Asked, answering } from '../../support/query-spec.ts';
import { type Happening, happening } from '../../support/recorded-events.ts';

const idOf = (number: number) => deriveId('example token', String(number));

function created(number: number, changed: Partial<typeof token> = {}, at?: string): Happening {
  const subject = {
    ...token,
    tokenId: idOf(number),
    name: `Number ${number}`,
    symbol: `N${number}`,
    ...changed,
  };
  const creator = number % 2 === 1 ? addresses.creator : addresses.otherCreator;
  return happening(idOf(number), TokenCreated({ ...tokenCreated.data, creator, token: subject }), at);
}

function paid(number: number, holders: string, asset: 'sol' | 'token' = 'sol'): Happening {
  const { paidTo, ...closed } = runClosed.data;
  const data = { ...closed, tokenId: idOf(number), asset, paidTo: { ...paidTo, holders } };
  return happening(idOf(number), RunClosed(data));
}

interface Shown {
  readonly name: string;
  readonly marketCap: { readonly lamports: string; readonly at: string } | null;
}

interface Answer {
  readonly tokens: readonly Shown[];
  readonly pagination: { readonly total: number; readonly page: number };
  readonly next?: string | null;
}

async function asking(happenings: readonly Happening[]) {
  const ask = await answering(happenings);
  return async (query: Asked['query'], now?: string): Promise<Answer> => {
    const answer = await ask(listTokens, { query, ...(now === undefined ? {} : { now }) });
    return (answer instanceof RawAnswer ? JSON.parse(answer.text) : answer) as Answer;
  };
}

type Ask = Awaited<ReturnType<typeof asking>>;

/** All pages. */
async function walked(ask: Ask, query: { readonly [name: string]: unknown }, now?: string) {
  const shown: Shown[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    const page = await ask({ ...query, ...(next === undefined ? {} : { after: next }) }, now);
    shown.push(...page.tokens);
    next = page.next ?? null;
  }
  return shown;
}

const namesOf = (tokens: readonly Shown[]) => tokens.map(({ name }) => Number(name.replace('Number ', '')));

describe('by what was paid', () => {
  const some = [
    ...[1, 2, 3, 4, 5, 6].map((number) => created(number)),
    created(7, { rewardToken: 'SELF' }),
    paid(2, '9'),
    paid(4, '10'),
    paid(5, '5'),
    paid(5, '5'),
    paid(7, '1000', 'token'),
  ];

  test.each([
    1, 3, 8,
  ])('comes the most first, as numbers; equal ones and those without any newest first, by pages of %i', async (limit) => {
    const ask = await asking(some);
    expect(namesOf(await walked(ask, { sort: 'paid', limit }))).toEqual([5, 4, 2, 7, 6, 3, 1]);
    const ofCreator = { creator: addresses.creator, rewardToken: 'SOL' };
    expect(namesOf(await walked(ask, { sort: 'paid', limit, ...ofCreator }))).toEqual([5, 3, 1]);
    expect((await ask({ sort: 'paid', limit: 2 })).pagination).toMatchObject({ total: 7 });
  });

  test('sorts what a search finds, which has pages with numbers', async () => {
    const ask = await asking(some);
    const search = { search: 'number', sort: 'paid', limit: 3 };
    expect(namesOf((await ask(search)).tokens)).toEqual([5, 4, 2]);
    const second = await ask({ ...search, page: 2 });
    expect([namesOf(second.tokens), second.pagination.total]).toEqual([[7, 6, 3], 7]);
    expect(second.next).toBe(`paid.0.${idOf(3)}`);
    expect(namesOf(await walked(ask, search))).toEqual([5, 4, 2, 7, 6, 3, 1]);
  });

  test('goes on behind any sum that a cursor can say', async () => {
    const ask = await asking(some);
    const { tokens } = await ask({
      search: 'number',
      sort: 'paid',
      after: `paid.${'9'.repeat(40)}.${idOf(1)}`,
    });
    expect(namesOf(tokens)).toEqual([5, 4, 2, 7, 6, 3, 1]);
  });

  test('sorts what is promoted now', async () => {
    const promotions = [2, 4].map((number) =>
      happening(
        'list',
        promotionStarted({
          transactionId: deriveId('p', String(number)),
          promotion: { tokenId: idOf(number) },
        }),
      ),
    );
    const ask = await asking([...some, ...promotions]);
    expect(namesOf((await ask({ featured: 'true', sort: 'paid' })).tokens)).toEqual([4, 2]);
    expect(namesOf((await ask({ featured: 'true', search: ' BER 2' })).tokens)).toEqual([2]);
  });
});

describe('by holders', () => {
  const held = (number: number, owners: number) =>
    happening(idOf(number), HoldersScanned({ ...holdersScanned.data, tokenId: idOf(number), owners }));
  const some = [
    ...[1, 2, 3, 4, 5].map((number) => created(number)),
    held(2, 9),
    held(4, 10),
    held(5, 0),
    held(3, 1),
  ];

  test.each([1, 2, 8])('comes the most first; a new token has one, by pages of %i', async (limit) => {
    const ask = await asking(some);
    expect(namesOf(await walked(ask, { sort: 'holders', limit }))).toEqual([4, 2, 3, 1, 5]);
    expect(namesOf(await walked(ask, { sort: 'holders', limit, search: 'number' }))).toEqual([4, 2, 3, 1, 5]);
    expect((await ask({ sort: 'holders', limit: 1 })).next).toBe(`holders.10.${idOf(4)}`);
  });
});

describe('by what was paid in the last 24 hours', () => {
  const NOW = '2026-05-05T10:30:00.000Z';
  const closed = (number: number, closedAt: string, holders: string, asset: 'sol' | 'token' = 'sol') => {
    const data = { ...runClosed.data, tokenId: idOf(number), asset, closedAt };
    return happening(idOf(number), RunClosed({ ...data, paidTo: { ...data.paidTo, holders } }));
  };
  const some = [
    ...[1, 2, 3, 4, 5, 6].map((number) => created(number)),
    closed(1, '2026-05-05T09:00:00.000Z', '6'),
    closed(2, '2026-05-04T23:00:00.000Z', '3'),
    closed(2, '2026-05-05T01:00:00.000Z', '4'),
    closed(3, '2026-05-04T09:59:00.000Z', '100'),
    closed(3, '2026-05-04T10:00:00.000Z', '1'),
    closed(4, '2026-05-05T09:00:00.000Z', '1000', 'token'),
    closed(5, '2026-05-05T09:00:00.000Z', '1000'),
    closed(6, '2026-05-03T23:00:00.000Z', '1000'),
    happening(idOf(5), TokenHidden({ tokenId: idOf(5), reason: 'a copy' })),
  ];

  test('comes the most first, counted by whole hours, in one page without those that paid no lamports', async () => {
    const ask = await asking(some);
    const { tokens, next, pagination } = await ask({ sort: 'trending', limit: 1 }, NOW);
    expect([namesOf(tokens), next, pagination.total]).toEqual([[2, 1, 3], null, 3]);
    expect(namesOf((await ask({ sort: 'trending' }, '2026-05-05T12:00:00.000Z')).tokens)).toEqual([2, 1]);
  });

  test('is narrowed by filters, a search and mints', async () => {
    const ask = await asking(some);
    const trending = async (query: object) =>
      namesOf((await ask({ sort: 'trending', ...query }, NOW)).tokens);
    expect(await trending({ creator: addresses.creator })).toEqual([1, 3]);
    expect(await trending({ search: 'number 3' })).toEqual([3]);
    expect(await trending({ mints: addresses.mint })).toEqual([]);
    expect(await trending({ featured: 'true' })).toEqual([]);
  });
});

describe('by mint addresses', () => {
  const addressOf = (number: number) => encodeAddress(new Uint8Array(32).fill(number));
  const mints = [1, 2, 3].map(addressOf);
  const some = mints.map((mintAddress, index) =>
    created(index + 1, { mintAddress, tokenId: tokenIdOf(mintAddress) }),
  );

  test('gives those that exist, in one page; hidden and unknown ones are left out', async () => {
    const [first = '', second = ''] = mints;
    const hidden = happening(
      tokenIdOf(second),
      TokenHidden({ tokenId: tokenIdOf(second), reason: 'a copy' }),
    );
    const ask = await asking([...some, hidden]);
    const { tokens, next, pagination } = await ask({
      mints: `${first}, ${addressOf(9)},${second},${mints[2]},${first}`,
    });
    expect([namesOf(tokens).toSorted(), next, pagination.total]).toEqual([[1, 3], null, 2]);
    expect(namesOf((await ask({ mints: first, creator: addresses.otherCreator })).tokens)).toEqual([]);
    expect((await ask({ mints: first, featured: 'true' })).tokens).toEqual([]);
  });
});

describe('by market cap', () => {
  const launched = (number: number) =>
    happening(
      idOf(number),
      LaunchStarted({ ...startedLaunch, launch: { ...launchSubject, tokenId: idOf(number) } }),
    );
  const scanned = (number: number, marketCap: string) =>
    happening(
      idOf(number),
      HoldersScanned({
        ...holdersScanned.data,
        tokenId: idOf(number),
        pool: { address: launchSubject.poolAddress, slot: '7', sqrtPrice: '7', marketCap },
      }),
    );
  const completed = (number: number, marketCap: string) =>
    happening(idOf(number), LaunchCompleted({ ...launchCompleted.data, tokenId: idOf(number), marketCap }));
  /** Worth 25 SOL at the launch, and what was seen later. */
  const some = [
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => created(number)),
    ...[2, 3, 4, 6].map(launched),
    scanned(3, '9000000000'),
    completed(6, '400000000000'),
    scanned(6, '100000000000'),
  ];
  const ORDER = [6, 4, 2, 3, 7, 5, 1];

  test.each([
    1, 3, 8,
  ])('comes the most first, and last what was not launched, by pages of %i', async (limit) => {
    const ask = await asking(some);
    expect(namesOf(await walked(ask, { sort: 'market-cap', limit }))).toEqual(ORDER);
    expect(namesOf(await walked(ask, { sort: 'market-cap', limit, search: 'number' }))).toEqual(ORDER);
  });

  test('says of each what was seen last, and when', async () => {
    const { tokens } = await (await asking(some))({ sort: 'market-cap' });
    expect(tokens.map(({ marketCap }) => marketCap?.lamports)).toEqual([
      ...['100000000000', '25000000000', '25000000000', '9000000000'],
      ...[undefined, undefined, undefined],
    ]);
    expect(tokens[1]?.marketCap?.at).toBe(startedLaunch.startedAt);
  });

  test.each([
    [{ launchState: 'active' }, [4, 2, 3]],
    [{ launchState: 'completed' }, [6]],
    [{ launchState: 'none' }, [7, 5, 1]],
    [{ creator: addresses.otherCreator }, [6, 4, 2]],
    [{ creator: addresses.creator, rewardToken: 'SOL' }, [3, 7, 5, 1]],
    [{ partner: 'acme' }, []],
  ])('is narrowed by %o', async (query, numbers) => {
    const ask = await asking(some);
    for (const search of [{}, { search: 'umbe' }]) {
      const found = await walked(ask, { sort: 'market-cap', limit: 2, ...search, ...query });
      expect(namesOf(found)).toEqual(numbers);
      const newest = await walked(ask, { limit: 2, ...search, ...query });
      expect(namesOf(newest)).toEqual(numbers.toSorted((one, other) => other - one));
    }
    expect((await ask({ search: 'umbe', ...query })).pagination.total).toBe(numbers.length);
    expect((await ask({ search: 'none such', ...query })).tokens).toEqual([]);
  });

  test.each([
    [2, [2, 3, 8, 5, 1]],
    // What is made now comes before what such a page has shown.
    [5, [5, 1]],
  ])('goes on behind %i, whatever is made, launched, seen and hidden meanwhile', async (limit, rest) => {
    const { next } = await (await asking(some))({ sort: 'market-cap', limit });
    const later = await asking([
      ...some,
      created(8),
      scanned(6, '1000000000000'),
      happening(idOf(7), TokenHidden({ tokenId: idOf(7), reason: 'a copy' })),
    ]);
    expect(namesOf(await walked(later, { sort: 'market-cap', limit: 2, after: next }))).toEqual(rest);
  });
});

describe('what is asked for', () => {
  const ID = idOf(1);

  test.each([
    [{ sort: 'paid', page: 501 }, 'page', /has no number/],
    [{ sort: 'market-cap', page: 101, limit: 100 }, 'page', /has no number/],
    [{ launchState: 'none', page: 1_000_000_000, limit: 1 }, 'page', /has no number/],
    [{ sort: 'market-cap', after: `paid.5.${ID}` }, 'after', /has sort=paid/],
    [{ sort: 'paid', after: `market-cap.none.${ID}` }, 'after', /has sort=market-cap/],
    [{ sort: 'market-cap', after: `market-cap.some.${ID}` }, 'after', /Unknown cursor/],
    [{ mints: addresses.mint, after: ID }, 'after', /are in one page/],
    [{ featured: 'true', after: ID }, 'after', /are in one page/],
    [{ sort: 'trending', after: ID }, 'after', /are in one page/],
    [{ mints: Array(51).fill(addresses.mint).join(',') }, 'mints', /Too many/],
    [{ sort: 'paid', after: ID }, 'after', /has sort=newest/],
    [{ sort: 'newest', after: `paid.5.${ID}` }, 'after', /has sort=paid/],
    [{ sort: 'paid', after: 'paid.x.y' }, 'after', /Unknown cursor/],
    [{ after: 'x' }, 'after', /Unknown cursor/],
  ])('is refused where it cannot be: %o', async (query, path, sentence) => {
    const ask = await asking([created(1)]);
    const refusal = { code: 'VALIDATION_FAILED', details: [{ path: [path] }] };
    await expect(ask(query)).rejects.toMatchObject({ ...refusal, message: expect.stringMatching(sentence) });
  });

  test.each(['paid', 'market-cap'])('sorted by %s, there may be nothing', async (sort) => {
    const ask = await asking([]);
    expect(await ask({ sort })).toMatchObject({ tokens: [], next: null, pagination: { total: 0 } });
    const unknown = {
      paid: `paid.5.${ID}`,
      'market-cap': `market-cap.5.${ID}`,
    }[sort];
    expect(await ask({ sort, after: unknown })).toMatchObject({ tokens: [], next: null });
  });

  test.each([
    { sort: 'paid' },
    { sort: 'market-cap' },
    { sort: 'newest' },
    { rewardToken: 'SOL' },
    { sort: 'market-cap', search: 'number' },
    { search: ' ' },
    { creator: addresses.creator, partner: 'acme' },
    { creator: addresses.creator },
    { featured: 'true' },
  ])('by %o, page numbers lead where `next` does, and stand beside `after` without counting', async (query) => {
    const made = [1, 2, 3, 4, 5, 6, 7].map((number) => created(number));
    const ask = await asking([...made, paid(3, '70'), paid(5, '50'), paid(6, '60')]);
    const all = await walked(ask, { ...query, limit: 3 });
    const numbered = [];
    for (const page of [1, 2, 3, 4]) numbered.push(await ask({ ...query, limit: 3, page }));
    expect(namesOf(numbered.flatMap(({ tokens }) => tokens))).toEqual(namesOf(all));
    expect(numbered.map(({ pagination }) => pagination.page)).toEqual([1, 2, 3, 4]);
    const [first] = numbered;
    for (const after of [first?.next].filter((next) => typeof next === 'string'))
      for (const page of [1, 2, 1_000_000_000])
        expect(await ask({ ...query, limit: 3, after, page })).toEqual(
          await ask({ ...query, limit: 3, after }),
        );
  });

  test('a page is found behind more tokens than are skipped at once', async () => {
    const ask = await asking(Array.from({ length: 507 }, (_, index) => created(index + 1)));
    const { tokens, next } = await ask({ launchState: 'none', page: 102, limit: 5 });
    expect([namesOf(tokens), next]).toEqual([[2, 1], null]);
  });
});
