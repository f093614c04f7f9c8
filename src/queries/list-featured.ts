/** The tokens promoted now, the latest start first. A promotion disappears as soon as it ends. */

import { type Static, Type } from '@sinclair/typebox';
import { JsonText, queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type FeaturedDocument, type FeaturedEntry, featured } from '../projections/featured.ts';
import { tokens } from '../projections/tokens.ts';
import { FEATURED_LIST } from '../streams/featured-list.ts';
import { MILLISECONDS_PER_DAY } from '../streams/featured-places.ts';
import { FeaturedPromotion } from '../views/featured-view.ts';

export const listFeatured = queriesFor<RuntimeServices>()({
  name: 'ListFeatured',
  summary: 'List the featured tokens',
  description:
    'The promotions that run now, the latest first: no more than there are places, all at once. One leaves the list as soon as it ends.',
  route: { method: 'GET', url: '/featured', auth: 'none' },
  input: {},
  output: Type.Object({ featured: Type.Array(FeaturedPromotion) }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { readModel, clock } }) {
    const document = await readModel.get(featured, FEATURED_LIST);
    if (document === undefined) return EMPTY;
    const promoted = await Promise.all(document.entries.map(({ tokenId }) => readModel.get(tokens, tokenId)));
    // A token reverted by a fork is missing.
    const visible = promoted.map((token) => token !== undefined && !token.hidden);
    const now = clock.now().getTime();
    let shown = latest.get(document);
    if (shown === undefined || !isShownStill(shown, visible, now)) {
      shown = shownAt(now, document.entries, visible);
      latest.set(document, shown);
    }
    return shown.text;
  },
});

const EMPTY = new JsonText('{"featured":[]}');

/** The rendered list, reused while nothing in it changes. */
interface Shown {
  readonly text: JsonText;
  /** For each entry, whether its token is shown. */
  readonly visible: readonly boolean[];
  /** Milliseconds; `until` is when a promotion begins, ends, or has one day less left. */
  readonly from: number;
  readonly until: number;
}

/** A read model that keeps the document returns the same one again; then nothing has to be rendered anew. */
const latest = new WeakMap<FeaturedDocument, Shown>();

function isShownStill(shown: Shown, visible: readonly boolean[], now: number): boolean {
  // The clock may have been set back.
  if (now < shown.from || now >= shown.until) return false;
  return visible.every((each, index) => each === shown.visible[index]);
}

function shownAt(now: number, entries: readonly FeaturedEntry[], visible: readonly boolean[]): Shown {
  const running: readonly Static<typeof FeaturedPromotion>[] = entries
    .filter((entry, index) => visible[index] && beginOf(entry) <= now && now < endOf(entry))
    .toSorted((one, other) => (one.startsAt < other.startsAt ? 1 : -1))
    .map((entry) => promotionView(entry, now));
  return {
    text: new JsonText(JSON.stringify({ featured: running })),
    visible,
    from: now,
    until: Math.min(...entries.map((entry) => nextChange(entry, now))),
  };
}

/** `now` in milliseconds. */
export function promotionView(
  { tokenId: _tokenId, ...entry }: FeaturedEntry,
  now: number,
): Static<typeof FeaturedPromotion> {
  return { ...entry, daysRemaining: daysLeft(entry, now) };
}

function nextChange(entry: FeaturedEntry, now: number): number {
  if (now < beginOf(entry)) return beginOf(entry);
  if (now >= endOf(entry)) return Number.POSITIVE_INFINITY;
  return endOf(entry) - (daysLeft(entry, now) - 1) * MILLISECONDS_PER_DAY;
}

function daysLeft(entry: Pick<FeaturedEntry, 'endsAt'>, now: number): number {
  return Math.ceil((endOf(entry) - now) / MILLISECONDS_PER_DAY);
}

const beginOf = ({ startsAt }: Pick<FeaturedEntry, 'startsAt'>) => Date.parse(startsAt);
const endOf = ({ endsAt }: Pick<FeaturedEntry, 'endsAt'>) => Date.parse(endsAt);
