/** Lists all visible tokens, newest first or in another order, page by page. */

import { type Static, Type } from '@sinclair/typebox';
import { searchable } from '../kernel/ports/collection-shape.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor, RawAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributionDays } from '../projections/distribution-days.ts';
import { filterValue, type StoredCard, searchTerms, storedCard, tokens } from '../projections/tokens.ts';
import { invalidFieldRejection } from '../streams/rejections.ts';
import { enumOf, orNull } from '../streams/value-types.ts';
import { requireAddress } from '../views/address-params.ts';
import { tokenIdOf } from '../views/token-access.ts';
import { cardsValidUntil, runningPromotions, type Surroundings, tokenCard } from '../views/token-card.ts';
import { LaunchState, TokenCard } from '../views/token-views.ts';
import { listContextAt } from './list-context.ts';
import { cutPage, numberedPage, PageQuery, Pagination, paginationOf, rangeOf } from './pages.ts';
import {
  cardsSorted,
  requireCursor,
  sortedMatches,
  sortedPage,
  TOKEN_SORTS,
  type TokenSort,
} from './token-sorts.ts';

/** Maximum number of matches per search. Bounds the cost of a search for a single letter. */
const MATCHES_READ = 10_000;

/** Maximum number of matches read for sorting or filtering in memory. */
const MATCHES_SORTED = 1_000;

const MAX_MINTS = 50;
const MAX_TRENDING = 50;
/** Milliseconds. */
const DAY = 86_400_000;

const After = Type.String({
  minLength: 1,
  maxLength: 100,
  description: '`next` of the previous page, with the same `sort`, `search` and filters.',
});

const Next = orNull(Type.String(), {
  description:
    'Cursor of the next page, to send as `after` with the same `sort`, `search` and filters; new tokens do not ' +
    'shift it. Null at the end.',
  examples: [Uuid.examples[0]],
});

const Query = Type.Object(
  {
    ...PageQuery,
    after: Type.Optional(After),
    sort: Type.Optional(
      enumOf('TokenSort', [...TOKEN_SORTS, 'trending'], {
        default: 'newest',
        description:
          '`paid`: by lamports paid to holders, highest first; payments in the token itself do not count. ' +
          '`holders`: by `holderCount`, highest first. `market-cap`: by `marketCap`, highest first; tokens without ' +
          'one are last. Ties are ordered newest first. ' +
          `\`trending\`: one page of up to ${MAX_TRENDING} tokens that paid their holders most lamports in the last ` +
          '24 hours, counted by whole hours.',
      }),
    ),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Any part of a name or symbol, or the beginning of a mint address.',
      }),
    ),
    creator: Type.Optional(
      Type.String({ minLength: 32, maxLength: 44, description: "The creator's address." }),
    ),
    partner: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description: 'Partner whose key created the tokens.',
        examples: ['acme'],
      }),
    ),
    rewardToken: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 44,
        description: 'The `rewardToken` of the settings.',
        examples: ['SOL'],
      }),
    ),
    launchState: Type.Optional(LaunchState),
    mints: Type.Optional(
      Type.String({
        minLength: 32,
        maxLength: MAX_MINTS * 46,
        description:
          `Up to ${MAX_MINTS} mint addresses, separated by commas. ` +
          'Returns those tokens in one page, newest first; unknown and hidden ones are omitted.',
        examples: ['AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3'],
      }),
    ),
    featured: Type.Optional(
      Type.Literal('true', { description: 'Tokens with a running promotion, in one page.' }),
    ),
  },
  { additionalProperties: false },
);

type Query = Static<typeof Query>;

export const listTokens = queriesFor<RuntimeServices>()({
  name: 'ListTokens',
  summary: 'List tokens',
  description:
    'Visible tokens, newest first. Select a page with `page` or `after`; a page past the end is empty. Filters and a ' +
    'search can be combined.\n\n' +
    'A query is *restricted* if it has a `sort` other than `newest`, a `rewardToken`, a `launchState`, or both ' +
    '`creator` and `partner`:\n\n' +
    '- A search considers its first 10,000 matches. If it is restricted, it considers 1,000.\n' +
    '- Page numbers of a restricted query reach the first 10,000 tokens. Use `after` for the rest.\n' +
    '- If a filter makes the query restricted, `total` is at most 10,000.\n\n' +
    '`pagination.page` is always 1 with `after`. A token whose rank changes between two pages may be listed twice ' +
    'or not at all; every other token is listed once.',
  route: { method: 'GET', url: '/tokens', auth: 'none' },
  input: {
    query: Query,
  },
  output: Type.Object({
    tokens: Type.Array(TokenCard),
    pagination: Pagination,
    next: Next,
  }),
  rejections: ['INVALID_ADDRESS', 'STORE_UNAVAILABLE'],
  async answer({ query }, { services: { readModel, clock } }) {
    requireTogether(query);
    const surroundings = await listContextAt(readModel, clock.now());
    const trending =
      query.sort === 'trending' ? await trendingCandidates(readModel, surroundings.now) : undefined;
    const named = namedTokens(query, surroundings);
    const ids = trending?.filter((id) => named?.includes(id) ?? true) ?? named;
    if (ids !== undefined) return namedCards(readModel, ids, query, surroundings);
    const part = query.search?.trim() ?? '';
    const isSorted = sortOf(query) !== 'newest';
    if (part !== '')
      return isSorted || !isRanked(query)
        ? foundAmongFirst(readModel, query, part, surroundings)
        : foundNewest(readModel, query, part, surroundings);
    if (isSorted || query.after !== undefined || !isRanked(query))
      return walkedPage(readModel, query, surroundings);
    const { offset, limit } = rangeOf(query);
    const { items, total } = await numberedPage(readModel, tokens, ...rankedList(query), {
      view: 'card',
      offset,
      limit,
    });
    const last = offset + items.length < total ? items.at(-1) : undefined;
    const next = last === undefined ? null : idOf(last);
    return pageOf(items, next, paginationOf(query, total), surroundings);
  },
});

/** Tokens of `trending` are sorted already. */
const sortOf = ({ sort = 'newest' }: Query): TokenSort => (sort === 'trending' ? 'newest' : sort);

/** True if a ranked list, which has pages and a total, contains exactly the requested tokens. */
function isRanked({ creator, partner, rewardToken, launchState }: Query): boolean {
  return (
    rewardToken === undefined && launchState === undefined && (creator === undefined || partner === undefined)
  );
}

function rankedList({ creator, partner }: Query): [list: string, partition: string] {
  if (creator !== undefined) return ['creator', creator];
  return partner === undefined ? ['all', ''] : ['partner', partner];
}

function requireTogether(query: Query): void {
  const { after, creator } = query;
  if (creator !== undefined) requireAddress('creator', creator);
  const [inOnePage] = [
    ...(['featured', 'mints'] as const).filter((name) => query[name] !== undefined),
    ...(query.sort === 'trending' ? ['sort=trending'] : []),
  ];
  if (after !== undefined && inOnePage !== undefined) {
    throw invalidFieldRejection(
      'after',
      `must not be combined with ${inOnePage}`,
      `The tokens of ${inOnePage} are in one page; omit after.`,
    );
  }
  if (after !== undefined) requireCursor(sortOf(query), after);
}

/** Page of a list without ranks, found by walking the list up to it. */
async function walkedPage(readModel: ReadModel, query: Query, surroundings: Surroundings) {
  const { offset, limit } = rangeOf(query);
  if (offset >= MATCHES_READ) throw pageOutOfRangeRejection();
  const total = isRanked(query)
    ? (await readModel.page(tokens, ...rankedList(query), { view: 'card', offset: 0, limit: 0 })).total
    : await readModel.count(tokens, 'filter', filterValue(query), MATCHES_READ);
  const { shown, next } = await sortedPage(readModel, sortOf(query), {
    filter: query,
    after: query.after,
    offset,
    limit,
  });
  return {
    tokens: shown.map((token) => tokenCard(storedCard(token), surroundings)),
    pagination: paginationOf(query, total),
    next,
  };
}

async function foundNewest(readModel: ReadModel, query: Query, part: string, surroundings: Surroundings) {
  const { offset, limit } = rangeOf(query);
  const { items, total } = await readModel.search(tokens, ...rankedList(query), {
    view: 'card',
    offset,
    limit: limit + 1,
    prefix: part,
    matchLimit: MATCHES_READ,
    after: query.after,
  });
  const { shown, next } = cutPage(items, limit, idOf);
  return pageOf(shown, next, paginationOf(query, total), surroundings);
}

/** Filters and sorts the first matches in memory. */
async function foundAmongFirst(readModel: ReadModel, query: Query, part: string, surroundings: Surroundings) {
  async function search(after: string | undefined) {
    const { items } = await readModel.search(tokens, ...rankedList(query), {
      view: 'card',
      offset: 0,
      limit: MATCHES_SORTED,
      prefix: part,
      matchLimit: MATCHES_SORTED,
      after,
    });
    return items
      .map((item) => JSON.parse(item) as StoredCard)
      .filter((card) => isAsked(query, card))
      .map((card) => tokenCard(card, surroundings));
  }
  const place = { ...rangeOf(query), after: query.after };
  const { shown, next, total } = await sortedMatches(search, sortOf(query), place);
  return { tokens: [...shown], pagination: paginationOf(query, total), next };
}

function isAsked(
  { creator, partner, rewardToken, launchState }: Query,
  token: Pick<StoredCard, 'creator' | 'partner' | 'rewardToken' | 'launch'>,
): boolean {
  return (
    (creator ?? token.creator) === token.creator &&
    (partner ?? token.partner) === token.partner &&
    (rewardToken ?? token.rewardToken) === token.rewardToken &&
    (launchState ?? token.launch) === token.launch
  );
}

function pageOutOfRangeRejection() {
  return invalidFieldRejection(
    'page',
    `must be a page within the first ${MATCHES_READ} tokens of this order`,
    'A page this far into the list has no number; use after instead.',
  );
}

function pageOf(
  items: readonly string[],
  next: string | null,
  pagination: Static<typeof Pagination>,
  surroundings: Surroundings,
): RawAnswer {
  const rest = JSON.stringify({ pagination, next });
  return new RawAnswer(`{"tokens":[${renderedCards(items, surroundings)}],${rest.slice(1)}`);
}

/** Ids of the tokens that `mints` or `featured` names; undefined without either. */
function namedTokens({ mints, featured }: Query, surroundings: Surroundings): readonly string[] | undefined {
  const promoted = featured && runningPromotions(surroundings).map(({ tokenId }) => tokenId);
  if (mints === undefined) return promoted;
  const addresses = mints.split(',').map((mint) => mint.trim());
  if (addresses.length > MAX_MINTS) {
    const rule = `must have at most ${MAX_MINTS} addresses`;
    throw invalidFieldRejection('mints', rule, 'Too many mint addresses.');
  }
  for (const address of addresses) requireAddress('mints', address);
  const ids = addresses.map(tokenIdOf);
  return promoted === undefined ? ids : ids.filter((id) => promoted.includes(id));
}

/**
 * Ids of the tokens that paid most today or yesterday. A token that ranks low on both days may be missing from
 * `trending`.
 */
async function trendingCandidates(readModel: ReadModel, now: Date): Promise<readonly string[]> {
  const days = [now.getTime() - DAY, now.getTime()].map((at) => new Date(at).toISOString().slice(0, 10));
  const options = { limit: 2 * MAX_TRENDING, descending: true };
  const found = await Promise.all(
    days.map((day) => readModel.find(distributionDays, 'paidOn', day, options)),
  );
  return found.flat().map(({ tokenId }) => tokenId);
}

type Card = ReturnType<typeof tokenCard>;

/** Cards that have paid lamports in the last 24 hours, most first. */
function mostPaid(cards: readonly Card[]): Card[] {
  return cards
    .map((card) => ({ card, paid: BigInt(card.paidToHolders.last24Hours.sol) }))
    .filter(({ paid }) => paid > 0n)
    .toSorted((one, other) => (one.paid < other.paid ? 1 : -1))
    .slice(0, MAX_TRENDING)
    .map(({ card }) => card);
}

async function namedCards(
  readModel: ReadModel,
  ids: readonly string[],
  query: Query,
  surroundings: Surroundings,
) {
  const found = await Promise.all([...new Set(ids)].map((id) => readModel.get(tokens, id)));
  const part = searchable(query.search?.trim() ?? '');
  const shown = found
    .flatMap((token) => (token === undefined || token.hidden ? [] : [token]))
    .filter(
      (token) =>
        isAsked(query, storedCard(token)) &&
        searchTerms(token).some((term) => searchable(term).startsWith(part)),
    );
  const newest = shown
    .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    .map((token) => tokenCard(storedCard(token), surroundings));
  const cards = query.sort === 'trending' ? mostPaid(newest) : cardsSorted(newest, sortOf(query));
  return {
    // The first page contains all of them.
    tokens: (query.page ?? 1) > 1 ? [] : cards,
    pagination: paginationOf({ ...query, limit: Math.max(1, cards.length) }, cards.length),
    next: null,
  };
}

function idOf(item: string): string {
  return (JSON.parse(item) as StoredCard).id;
}

/** Last rendered form of a page. */
interface Rendered {
  readonly text: string;
  readonly allHalted: Surroundings['allHalted'];
  readonly featured: Surroundings['featured'];
  /** Validity in milliseconds since the epoch; has a start, because the clock may be set back. */
  readonly from: number;
  readonly until: number;
}

/** Rendered pages by their items: a read model that caches a page returns the same array again. */
const latest = new WeakMap<readonly string[], Rendered>();

function renderedCards(items: readonly string[], surroundings: Surroundings): string {
  const { allHalted, featured, now } = surroundings;
  const before = latest.get(items);
  const isStill =
    before?.allHalted === allHalted &&
    before?.featured === featured &&
    before !== undefined &&
    before.from <= now.getTime() &&
    now.getTime() < before.until;
  if (isStill) return before.text;
  const cards = items.map((item) => JSON.parse(item) as StoredCard);
  const text = cards.map((card) => JSON.stringify(tokenCard(card, surroundings))).join(',');
  latest.set(items, {
    text,
    allHalted,
    featured,
    from: now.getTime(),
    until: cardsValidUntil(cards, surroundings),
  });
  return text;
}
