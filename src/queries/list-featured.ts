/** Returns the running promotions, latest start first. A promotion disappears as soon as it ends. */

import { type Static, Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type FeaturedEntry, featuredList } from '../projections/featured-list.ts';
import { tokens } from '../projections/tokens.ts';
import { FEATURED_LIST } from '../streams/featured-list.ts';
import { MILLISECONDS_PER_DAY } from '../streams/featured-places.ts';
import { FeaturedPromotion } from '../views/featured-view.ts';

export const listFeatured = queriesFor<RuntimeServices>()({
  name: 'ListFeatured',
  summary: 'List the featured tokens',
  description:
    'The running promotions, newest first, in one page. A promotion leaves the list as soon as it ends.',
  route: { method: 'GET', url: '/featured', auth: 'none' },
  input: {},
  output: Type.Object({ featured: Type.Array(FeaturedPromotion) }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { readModel, clock } }) {
    const document = await readModel.get(featuredList, FEATURED_LIST);
    const entries = document?.entries ?? [];
    const promoted = await Promise.all(entries.map(({ tokenId }) => readModel.get(tokens, tokenId)));
    const now = clock.now().getTime();
    const shown = entries
      // Tokens whose creation a fork has reverted have no document.
      .filter((_entry, index) => promoted[index]?.hidden === null)
      .filter((entry) => beginOf(entry) <= now && now < endOf(entry))
      .toSorted((one, other) => (one.startsAt < other.startsAt ? 1 : -1));
    return { featured: shown.map((entry) => promotionView(entry, now)) };
  },
});

/** `now`: milliseconds since the epoch. */
export function promotionView(
  { tokenId: _tokenId, ...entry }: FeaturedEntry,
  now: number,
): Static<typeof FeaturedPromotion> {
  return { ...entry, daysRemaining: Math.ceil((endOf(entry) - now) / MILLISECONDS_PER_DAY) };
}

const beginOf = ({ startsAt }: Pick<FeaturedEntry, 'startsAt'>) => Date.parse(startsAt);
const endOf = ({ endsAt }: Pick<FeaturedEntry, 'endsAt'>) => Date.parse(endsAt);
