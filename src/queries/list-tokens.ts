/** A page of all visible tokens, newest first. */

import { Type } from '@sinclair/typebox';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { JsonText, queriesFor } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { filterValue, LAUNCH_STATES, type StoredCard, storedCard, tokens } from '../projections/tokens.ts';
import { rejection } from '../streams/rejections.ts';
import { requireAddress } from '../views/addresses.ts';
import { cardsStayUntil, runningPromotions, type Surroundings, tokenCard } from '../views/token-card.ts';
import { TokenCard } from '../views/token-views.ts';
import { cutPage, PageQuery, Pagination, paginationOf, stretchOf } from './pages.ts';
import { surroundingsAt } from './surroundings.ts';

/** A search reads only its first matches, so that a single letter costs no more than a name. */
const MATCHES_LOOKED_AT = 10_000;

const Next = Type.Union([Uuid, Type.Null()], {
  description:
    'Send it as `after` to get the tokens behind this page: those that are made meanwhile shift nothing. Null at the end. Absent from a search.',
});

export const listTokens = queriesFor<RuntimeServices>()({
  name: 'ListTokens',
  summary: 'List tokens',
  description:
    'All visible tokens, newest first: by `page`, or by `after` from one page to the next. A page past the end is an empty list. ' +
    'Filters may stand together. A search looks at its first 10,000 matches; of the filters it takes `creator` or `partner`. With `after`, `rewardToken`, ' +
    '`launchState`, `featured`, or `creator` and `partner` together, `pagination.page` is 1 wherever the page is. `total` counts to 10,000 at most ' +
    'with `rewardToken`, `launchState`, or `creator` and `partner` together.',
  route: { method: 'GET', url: '/tokens', auth: 'none' },
  input: {
    query: Type.Object(
      {
        ...PageQuery,
        after: Type.Optional(
          Type.String({ ...Uuid, description: '`next` of the page before; not together with `page`.' }),
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
            description: 'The partner whose key made them.',
            examples: ['acme'],
          }),
        ),
        rewardToken: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 44,
            description: 'What holders are paid in, as the settings have it.',
            examples: ['SOL'],
          }),
        ),
        launchState: Type.Optional(
          Type.Union(
            LAUNCH_STATES.map((state) => Type.Literal(state)),
            { examples: ['active'] },
          ),
        ),
        featured: Type.Optional(
          Type.Literal('true', { description: 'Those with a promotion that runs now, all at once.' }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    tokens: Type.Array(TokenCard),
    pagination: Pagination,
    next: Type.Optional(Next),
  }),
  rejections: ['INVALID_ADDRESS', 'STORE_UNAVAILABLE'],
  async answer({ query }, { services: { readModel, clock } }) {
    requireTogether(query);
    const surroundings = await surroundingsAt(readModel, clock.now());
    if (query.featured !== undefined) return featuredCards(readModel, query, surroundings);
    if (query.after !== undefined || !isRanked(query)) return cardsAfter(readModel, query, surroundings);
    const ranked = rankedList(query);
    const stretch = { view: 'card', ...stretchOf(query) };
    const part = query.search?.trim() ?? '';
    const { items, total } =
      part === ''
        ? await readModel.page(tokens, ...ranked, stretch)
        : await readModel.search(tokens, ...ranked, {
            ...stretch,
            prefix: part,
            matchLimit: MATCHES_LOOKED_AT,
          });
    const pagination = JSON.stringify(paginationOf(query, total));
    const cards = rendered(items, surroundings);
    const isLast = stretch.offset + items.length >= total;
    const next = part === '' ? `,"next":${isLast ? 'null' : JSON.stringify(idOf(items.at(-1)))}` : '';
    return new JsonText(`{"tokens":[${cards}],"pagination":${pagination}${next}}`);
  },
});

type Query = {
  readonly page?: number;
  readonly limit?: number;
  readonly after?: string;
  readonly search?: string;
  readonly creator?: string;
  readonly partner?: string;
  readonly rewardToken?: string;
  readonly launchState?: (typeof LAUNCH_STATES)[number];
  readonly featured?: 'true';
};

/** Whether a ranked list, which has pages and a total, holds just what it asks for. */
function isRanked({ creator, partner, rewardToken, launchState }: Query): boolean {
  return (
    rewardToken === undefined && launchState === undefined && (creator === undefined || partner === undefined)
  );
}

function rankedList({ creator, partner }: Query): [list: string, partition: string] {
  if (creator !== undefined) return ['creator', creator];
  return partner === undefined ? ['all', ''] : ['partner', partner];
}

const WITHOUT_PAGES =
  'must not stand beside after, rewardToken, launchState, featured, or creator and partner together';

function requireTogether(query: Query): void {
  const { page, after, search, creator, featured } = query;
  const hasPages = isRanked(query) && after === undefined && featured === undefined;
  if (creator !== undefined) requireAddress('creator', creator);
  if (search !== undefined && !hasPages) {
    throw rejection('VALIDATION_FAILED', 'A search takes only page, limit, and creator or partner.', {
      details: [{ path: ['search'], message: WITHOUT_PAGES }],
    });
  }
  if (page !== undefined && !hasPages) {
    throw rejection('VALIDATION_FAILED', 'This list has no page numbers: go on with next, sent as after.', {
      details: [{ path: ['page'], message: WITHOUT_PAGES }],
    });
  }
  if (after !== undefined && featured !== undefined) {
    throw rejection('VALIDATION_FAILED', 'Promoted tokens come all at once.', {
      details: [{ path: ['after'], message: 'must not stand beside featured' }],
    });
  }
}

async function cardsAfter(readModel: ReadModel, query: Query, surroundings: Surroundings) {
  const { after, limit = 20 } = query;
  const total = isRanked(query)
    ? (await readModel.page(tokens, ...rankedList(query), { view: 'card', offset: 0, limit: 0 })).total
    : await readModel.count(tokens, 'filter', filterValue(query), MATCHES_LOOKED_AT);
  const found = await readModel.find(tokens, 'filter', filterValue(query), {
    limit: limit + 1,
    newestFirst: true,
    ...(after === undefined ? {} : { after }),
  });
  const { shown, next } = cutPage(found, limit, ({ id }) => id);
  return {
    tokens: shown.map((token) => tokenCard(storedCard(token), surroundings)),
    pagination: paginationOf({ limit }, total),
    next,
  };
}

/** There are no more of them than places. */
async function featuredCards(readModel: ReadModel, query: Query, surroundings: Surroundings) {
  const ids = runningPromotions(surroundings).map(({ tokenId }) => tokenId);
  const found = await Promise.all([...new Set(ids)].map((id) => readModel.get(tokens, id)));
  const { creator, partner, rewardToken, launchState } = query;
  const shown = found
    .flatMap((token) => (token === undefined || token.hidden ? [] : [token]))
    .filter(
      (token) =>
        (creator ?? token.creator) === token.creator &&
        (partner ?? token.partner) === token.partner &&
        (rewardToken ?? token.rewardToken) === token.rewardToken &&
        (launchState ?? token.launch) === token.launch,
    )
    .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  return {
    tokens: shown.map((token) => tokenCard(storedCard(token), surroundings)),
    pagination: paginationOf({ limit: Math.max(1, shown.length) }, shown.length),
    next: null,
  };
}

function idOf(item: string | undefined): string | null {
  return item === undefined ? null : (JSON.parse(item) as StoredCard).id;
}

/** A page as it was rendered last. */
interface Rendered {
  readonly text: string;
  readonly allHalted: Surroundings['allHalted'];
  readonly featured: Surroundings['featured'];
  /** Milliseconds: the clock may have been set back. */
  readonly from: number;
  readonly until: number;
}

/** A read model that keeps a page returns the same items again: they are rendered again only when something changes. */
const latest = new WeakMap<readonly string[], Rendered>();

function rendered(items: readonly string[], surroundings: Surroundings): string {
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
    until: cardsStayUntil(cards, surroundings),
  });
  return text;
}
