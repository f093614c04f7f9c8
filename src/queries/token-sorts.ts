/** The orders of the list of tokens besides the newest first: their pages, and the cursors that say under which one they were made. */
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { filterValue, paidPlace, type TokenFilter } from '../projections/token-orders.ts';
import { type TokenDocument, tokens } from '../projections/tokens.ts';
import { rejection } from '../streams/rejections.ts';
import { DISTRIBUTION_INTERVALS } from '../streams/values.ts';
import type { tokenCard } from '../views/token-card.ts';
import { cutPage } from './pages.ts';
import { type Placed, type ShownLast, tokensByNextRun } from './tokens-by-next-run.ts';

export const TOKEN_SORTS = ['newest', 'paid', 'next-run'] as const;

export type TokenSort = (typeof TOKEN_SORTS)[number];

const ID = String(Uuid.pattern).slice(1, -1);
const RUN = `(\\d{1,14})\\.(${DISTRIBUTION_INTERVALS.join('|')})`;

/** What `next` looks like in each sort. */
const CURSORS: { readonly [sort in TokenSort]: RegExp } = {
  newest: new RegExp(`^${ID}$`),
  paid: new RegExp(`^paid\\.(\\d{1,40})\\.(${ID})$`),
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

export async function sortedPage(
  readModel: ReadModel,
  sort: TokenSort,
  { filter, after, limit, now }: Asked,
): Promise<SortedPage> {
  const [, ...parts] = (after === undefined ? null : CURSORS[sort].exec(after)) ?? [];
  // One more than a page: it says whether there is more.
  const most = limit + 1;
  if (sort === 'newest') {
    const options = { limit: most, newestFirst: true, ...(after === undefined ? {} : { after }) };
    const found = await readModel.find(tokens, 'filter', filterValue(filter), options);
    return cutPage(found, limit, ({ id }) => id);
  }
  if (sort === 'paid') {
    const [lamports = '', key = ''] = parts;
    const found = await readModel.ordered(tokens, 'paid', filterValue(filter), {
      limit: most,
      descending: true,
      ...(after === undefined ? {} : { after: { place: paidPlace(lamports), key } }),
    });
    return cutPage(found, limit, ({ id, distribution }) => `paid.${distribution.toHolders.sol}.${id}`);
  }
  const [moment, interval, id = ''] = parts;
  const last: ShownLast | undefined = after === undefined ? undefined : { id, run: runOf(moment, interval) };
  const found = await tokensByNextRun({ readModel, filter, now: now.getTime(), limit: most }, last);
  const { shown, next } = cutPage(found, limit, nextRunCursor);
  return { shown: shown.map(({ token }) => token), next };
}

function runOf(moment: string | undefined, interval: string | undefined): ShownLast['run'] {
  const known = DISTRIBUTION_INTERVALS.find((each) => each === interval);
  return known === undefined ? undefined : { moment: Number(moment), interval: known };
}

function nextRunCursor({ last: { id, run } }: Placed): string {
  return ['next-run', ...(run === undefined ? ['off'] : [run.moment, run.interval]), id].join('.');
}

type Card = ReturnType<typeof tokenCard>;

/** What is found newest first, in another order. */
export function cardsSorted(cards: Card[], sort: TokenSort): Card[] {
  if (sort === 'newest') return cards;
  const placeOf = {
    paid: ({ paidToHolders }: Card) => paidPlace(paidToHolders.sol),
    'next-run': ({ nextDistributionAt = '~' }: Card) => nextDistributionAt,
  }[sort];
  const direction = sort === 'paid' ? -1 : 1;
  const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);
  return cards.toSorted((one, other) => direction * compare(placeOf(one), placeOf(other)));
}
