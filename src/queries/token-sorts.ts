/** Sort orders of the list of tokens: their pages, and cursors that name their sort order. */
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import {
  filterValue,
  holderCountOf,
  numberSortKey,
  type TokenDocument,
  type TokenFilter,
  tokens,
} from '../projections/tokens.ts';
import { invalidFieldRejection } from '../streams/rejections.ts';
import type { tokenCard } from '../views/token-card.ts';
import { cutPage } from './pages.ts';

export const TOKEN_SORTS = ['newest', 'paid', 'holders', 'market-cap'] as const;

export type TokenSort = (typeof TOKEN_SORTS)[number];

type RankedSort = Exclude<TokenSort, 'newest'>;

/** Sorts by a number, highest first: the read model's index, and the number of a token or card. Tokens without a number are last. */
const RANKED: {
  readonly [sort in RankedSort]: {
    readonly index: 'paid' | 'holders' | 'marketCap';
    readonly ofToken: (token: TokenDocument) => string | undefined;
    readonly ofCard: (card: Card) => string | undefined;
  };
} = {
  paid: {
    index: 'paid',
    ofToken: ({ distribution }) => distribution.toHolders.sol,
    ofCard: ({ paidToHolders }) => paidToHolders.lifetime.sol,
  },
  holders: {
    index: 'holders',
    ofToken: holderCountOf,
    ofCard: ({ holderCount }) => String(holderCount),
  },
  'market-cap': {
    index: 'marketCap',
    ofToken: ({ marketCap }) => marketCap?.lamports,
    ofCard: ({ marketCap }) => marketCap?.lamports,
  },
};

const ID = String(Uuid.pattern).slice(1, -1);

/** Formats of `next` per sort order. */
const CURSORS: { readonly [sort in TokenSort]: RegExp } = {
  newest: new RegExp(`^(${ID})$`),
  paid: new RegExp(`^paid\\.(\\d{1,40})\\.(${ID})$`),
  holders: new RegExp(`^holders\\.(\\d{1,40})\\.(${ID})$`),
  'market-cap': new RegExp(`^market-cap\\.(\\d{1,40}|none)\\.(${ID})$`),
};

/** @throws Rejection `VALIDATION_FAILED` if `after` is not a cursor of this sort order. */
export function requireCursor(sort: TokenSort, after: string): void {
  if (CURSORS[sort].test(after)) return;
  const other = TOKEN_SORTS.find((each) => CURSORS[each].test(after));
  const [sentence, rule] =
    other === undefined
      ? ['Unknown cursor.', 'must be `next` of the previous page']
      : [
          `This cursor has sort=${other}; send the same sort, or omit after to start again.`,
          `is \`next\` of a list with sort=${other}, not sort=${sort}`,
        ];
  throw invalidFieldRejection('after', rule, sentence);
}

const SKIPPED_PER_READ = 500;

interface Asked {
  readonly filter: TokenFilter;
  /** Cursor of this sort order. */
  readonly after: string | undefined;
  readonly limit: number;
}

interface SortedPage {
  readonly shown: readonly TokenDocument[];
  readonly next: string | null;
}

/** Skips the `offset` tokens before the page in steps of `SKIPPED_PER_READ`. */
export async function sortedPage(
  readModel: ReadModel,
  sort: TokenSort,
  { offset, ...asked }: Asked & { readonly offset: number },
): Promise<SortedPage> {
  let { after } = asked;
  for (let left = offset; left > 0; left -= SKIPPED_PER_READ) {
    const limit = Math.min(left, SKIPPED_PER_READ);
    const { next } = await pageBehind(readModel, sort, { ...asked, after, limit });
    if (next === null) return { shown: [], next };
    after = next;
  }
  return pageBehind(readModel, sort, { ...asked, after });
}

async function pageBehind(
  readModel: ReadModel,
  sort: TokenSort,
  { filter, after, limit }: Asked,
): Promise<SortedPage> {
  const parts = after === undefined ? [] : partsOf(sort, after);
  // Read one more token than the page has, to see whether another page follows.
  const most = limit + 1;
  if (sort === 'newest') {
    const options = { limit: most, descending: true, after };
    const found = await readModel.find(tokens, 'filter', filterValue(filter), options);
    return cutPage(found, limit, ({ id }) => id);
  }
  const found = await ranked(readModel, sort, filter, most, parts);
  return cutPage(found, limit, (token) => cursorOf(sort, token.id, RANKED[sort].ofToken(token)));
}

/** Highest number first, after the cursor's number and token; tokens without a market cap come last, newest first. */
async function ranked(
  readModel: ReadModel,
  sort: RankedSort,
  filter: TokenFilter,
  limit: number,
  [number, key = '']: readonly (string | undefined)[],
): Promise<readonly TokenDocument[]> {
  const isAmongLast = number === 'none';
  const found = isAmongLast
    ? []
    : await readModel.find(tokens, RANKED[sort].index, filterValue(filter), {
        limit,
        descending: true,
        ...(number === undefined ? {} : { after: { place: numberSortKey(number), key } }),
      });
  const hasRest = sort === 'market-cap' && (filter.launchState ?? 'none') === 'none';
  if (found.length === limit || !hasRest) return found;
  const rest = await readModel.find(tokens, 'filter', filterValue({ ...filter, launchState: 'none' }), {
    limit: limit - found.length,
    descending: true,
    ...(isAmongLast ? { after: key } : {}),
  });
  return [...found, ...rest];
}

/** Fields of a cursor, the token's id last; empty if the cursor has another format. */
function partsOf(sort: TokenSort, cursor: string): readonly (string | undefined)[] {
  return CURSORS[sort].exec(cursor)?.slice(1) ?? [];
}

function cursorOf(sort: RankedSort, id: string, number: string | undefined): string {
  return `${sort}.${number ?? 'none'}.${id}`;
}

type Card = ReturnType<typeof tokenCard>;

/** Sorts cards that are in the order newest first. */
export function cardsSorted(cards: Card[], sort: TokenSort): Card[] {
  return cards.toSorted((one, other) => compare(sortKeyOf(sort, one), sortKeyOf(sort, other)));
}

/** `search` returns all matches, newest first, or only those older than the given token. */
export async function sortedMatches(
  search: (after: string | undefined) => Promise<Card[]>,
  sort: TokenSort,
  {
    after,
    offset,
    limit,
  }: { readonly after: string | undefined; readonly offset: number; readonly limit: number },
) {
  const found = cardsSorted(await search(undefined), sort);
  const behind =
    after === undefined
      ? found
      : // The cursor's token may have left the list, so search again for the tokens that are older among its equals.
        cardsBehind(found, sort, after, await search(partsOf(sort, after).at(-1)));
  const { shown, next } = cutPage(behind.slice(offset), limit, (card) => cursorOfCard(card, sort));
  return { shown, next, total: found.length };
}

function cardsBehind(found: readonly Card[], sort: TokenSort, after: string, older: readonly Card[]) {
  const place = sortKeyIn(sort, after);
  const olderIds = new Set(older.map(({ id }) => id));
  return found.filter((card) => {
    const order = compare(sortKeyOf(sort, card), place);
    return order > 0 || (order === 0 && olderIds.has(card.id));
  });
}

function sortKeyIn(sort: TokenSort, cursor: string): string {
  if (sort === 'newest') return '';
  const [number = ''] = partsOf(sort, cursor);
  return number === 'none' ? '' : numberSortKey(number);
}

function cursorOfCard(card: Card, sort: TokenSort): string {
  return sort === 'newest' ? card.id : cursorOf(sort, card.id, RANKED[sort].ofCard(card));
}

/** Sort key; empty for `newest`, since cards are already in that order. */
function sortKeyOf(sort: TokenSort, card: Card): string {
  const number = sort === 'newest' ? undefined : RANKED[sort].ofCard(card);
  return number === undefined ? '' : numberSortKey(number);
}

/** Highest number first. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? 1 : -1;
}
