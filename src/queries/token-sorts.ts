/** The orders of the list of tokens besides the newest first: their pages, and the cursors that say under which one they were made. */
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { filterValue, lamportsPlace, type TokenFilter } from '../projections/token-orders.ts';
import { type TokenDocument, tokens } from '../projections/tokens.ts';
import { rejection } from '../streams/rejections.ts';
import { DISTRIBUTION_INTERVALS } from '../streams/values.ts';
import type { tokenCard } from '../views/token-card.ts';
import { cutPage } from './pages.ts';
import { type ShownLast, tokensByNextRun } from './tokens-by-next-run.ts';

export const TOKEN_SORTS = ['newest', 'paid', 'market-cap', 'next-run'] as const;

export type TokenSort = (typeof TOKEN_SORTS)[number];

const ID = String(Uuid.pattern).slice(1, -1);
const RUN = `(\\d{1,14})\\.(${DISTRIBUTION_INTERVALS.join('|')})`;

/** What `next` looks like in each sort. */
const CURSORS: { readonly [sort in TokenSort]: RegExp } = {
  newest: new RegExp(`^${ID}$`),
  paid: new RegExp(`^paid\\.(\\d{1,40})\\.(${ID})$`),
  'market-cap': new RegExp(`^market-cap\\.(\\d{1,40}|none)\\.(${ID})$`),
  'next-run': new RegExp(`^next-run\\.(?:${RUN}|off)\\.(${ID})$`),
};

/** @throws Rejection `VALIDATION_FAILED` for an `after` that is no `next` of a list in this order. */
export function requireCursor(sort: TokenSort, after: string): void {
  if (CURSORS[sort].test(after)) return;
  const other = TOKEN_SORTS.find((each) => CURSORS[each].test(after));
  const [sentence, message] =
    other === undefined
      ? ['There is no page after this.', 'must be `next` of the page before']
      : [
          `This page was sorted by ${other}: go on with the same sort, or begin anew without after.`,
          `is \`next\` of a list with sort=${other}, not sort=${sort}`,
        ];
  throw rejection('VALIDATION_FAILED', sentence, { details: [{ path: ['after'], message }] });
}

const SKIPPED_AT_ONCE = 500;

interface Asked {
  readonly filter: TokenFilter;
  /** A cursor of this order. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly now: Date;
}

interface SortedPage {
  readonly shown: readonly TokenDocument[];
  readonly next: string | null;
}

/** Skips the `offset` tokens before the page in steps. */
export async function sortedPage(
  readModel: ReadModel,
  sort: TokenSort,
  { offset, ...asked }: Asked & { readonly offset: number },
): Promise<SortedPage> {
  let { after } = asked;
  for (let left = offset; left > 0; left -= SKIPPED_AT_ONCE) {
    const limit = Math.min(left, SKIPPED_AT_ONCE);
    const { next } = await pageBehind(readModel, sort, { ...asked, after, limit });
    if (next === null) return { shown: [], next };
    after = next;
  }
  return pageBehind(readModel, sort, { ...asked, after });
}

async function pageBehind(
  readModel: ReadModel,
  sort: TokenSort,
  { filter, after, limit, now }: Asked,
): Promise<SortedPage> {
  const parts = after === undefined ? [] : partsOf(sort, after);
  // One more than a page: it says whether there is more.
  const most = limit + 1;
  if (sort === 'newest') {
    const options = { limit: most, newestFirst: true, after };
    const found = await readModel.find(tokens, 'filter', filterValue(filter), options);
    return cutPage(found, limit, ({ id }) => id);
  }
  if (sort === 'paid') {
    const found = await byLamports(readModel, 'paid', filter, most, parts);
    return cutPage(found, limit, ({ id, distribution }) => paidCursor(id, distribution.toHolders.sol));
  }
  if (sort === 'market-cap') {
    const found = await byMarketCap(readModel, filter, most, parts);
    return cutPage(found, limit, ({ id, marketCap }) => marketCapCursor(id, marketCap));
  }
  const [moment, interval, id = ''] = parts;
  const last: ShownLast | undefined = after === undefined ? undefined : { id, run: runOf(moment, interval) };
  const found = await tokensByNextRun({ readModel, filter, now: now.getTime(), limit: most }, last);
  const { shown, next } = cutPage(found, limit, (placed) => nextRunCursor(placed.last));
  return { shown: shown.map(({ token }) => token), next };
}

/** The most first, behind the lamports and the token that a cursor names. */
function byLamports(
  readModel: ReadModel,
  order: 'paid' | 'marketCap',
  filter: TokenFilter,
  limit: number,
  [lamports, key = '']: readonly (string | undefined)[],
): Promise<readonly TokenDocument[]> {
  return readModel.ordered(tokens, order, filterValue(filter), {
    limit,
    descending: true,
    ...(lamports === undefined ? {} : { after: { place: lamportsPlace(lamports), key } }),
  });
}

/** Those that were not launched come last, the newest first. */
async function byMarketCap(
  readModel: ReadModel,
  filter: TokenFilter,
  limit: number,
  [lamports, key = '']: readonly (string | undefined)[],
): Promise<readonly TokenDocument[]> {
  const isAmongLast = lamports === 'none';
  const launched = isAmongLast
    ? []
    : await byLamports(readModel, 'marketCap', filter, limit, [lamports, key]);
  if (launched.length === limit || (filter.launchState ?? 'none') !== 'none') return launched;
  const rest = await readModel.find(tokens, 'filter', filterValue({ ...filter, launchState: 'none' }), {
    limit: limit - launched.length,
    newestFirst: true,
    ...(isAmongLast ? { after: key } : {}),
  });
  return [...launched, ...rest];
}

function runOf(moment: string | undefined, interval: string | undefined): ShownLast['run'] {
  const known = DISTRIBUTION_INTERVALS.find((each) => each === interval);
  return known === undefined ? undefined : { moment: Number(moment), interval: known };
}

/** What stands in a cursor of the order, the token's id last; undefined where a part is missing. */
function partsOf(sort: TokenSort, cursor: string): readonly (string | undefined)[] {
  return CURSORS[sort].exec(cursor)?.slice(1) ?? [];
}

function paidCursor(id: string, lamports: string): string {
  return `paid.${lamports}.${id}`;
}

function marketCapCursor(id: string, marketCap: { readonly lamports: string } | null | undefined): string {
  return `market-cap.${marketCap?.lamports ?? 'none'}.${id}`;
}

function nextRunCursor({ id, run }: ShownLast): string {
  return ['next-run', ...(run === undefined ? ['off'] : [run.moment, run.interval]), id].join('.');
}

type Card = ReturnType<typeof tokenCard>;

/** Behind every time. */
const LAST = '~';

/** What is found newest first, in another order. */
export function cardsSorted(cards: Card[], sort: TokenSort): Card[] {
  return sort === 'newest'
    ? cards
    : cards.toSorted((one, other) => compare(sort, placeOf(sort, one), placeOf(sort, other)));
}

/** `search` gives all matches newest first, those alone that were made before a token where one is named. */
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
      : // The token that the page before ended with may have left the list, so its place among equals is asked for.
        cardsBehind(found, sort, after, await search(partsOf(sort, after).at(-1)));
  const { shown, next } = cutPage(behind.slice(offset), limit, (card) => cursorOfCard(card, sort));
  return { shown, next, total: found.length };
}

function cardsBehind(found: readonly Card[], sort: TokenSort, after: string, older: readonly Card[]) {
  const place = placeIn(sort, after);
  const olderIds = new Set(older.map(({ id }) => id));
  return found.filter((card) => {
    const order = compare(sort, placeOf(sort, card), place);
    return order > 0 || (order === 0 && olderIds.has(card.id));
  });
}

function placeIn(sort: TokenSort, cursor: string): string {
  const [first = '', interval] = partsOf(sort, cursor);
  if (sort === 'paid') return lamportsPlace(first);
  if (sort === 'market-cap') return first === 'none' ? '' : lamportsPlace(first);
  return interval === undefined ? LAST : new Date(Number(first)).toISOString();
}

function cursorOfCard(card: Card, sort: TokenSort): string {
  const { id, paidToHolders, marketCap, nextDistributionAt, distributionInterval: interval } = card;
  if (sort === 'paid') return paidCursor(id, paidToHolders.sol);
  if (sort === 'market-cap') return marketCapCursor(id, marketCap);
  const moment = nextDistributionAt === undefined ? undefined : Date.parse(nextDistributionAt);
  return nextRunCursor({ id, run: moment === undefined ? undefined : { moment, interval } });
}

function placeOf(sort: TokenSort, { paidToHolders, marketCap, nextDistributionAt = LAST }: Card): string {
  if (sort === 'paid') return lamportsPlace(paidToHolders.sol);
  if (sort === 'market-cap') return marketCap === null ? '' : lamportsPlace(marketCap.lamports);
  return nextDistributionAt;
}

/** The most lamports come first, and what is due soonest. */
function compare(sort: TokenSort, one: string, other: string): number {
  if (one === other) return 0;
  return one < other === (sort !== 'next-run') ? 1 : -1;
}
