/** The tokens that are promoted now, the latest to have begun first. A promotion is gone the moment that it is over. */
import { Type } from '@sinclair/typebox';
import { type FeaturedEntry, featured } from '../projections/featured.ts';
import { tokens } from '../projections/tokens.ts';
import { defineQuery } from '../services.ts';
import { FEATURED_LIST, MILLISECONDS_A_DAY } from '../streams/featured-list.ts';
import { FeaturedPromotion } from '../streams/featured-view.ts';

export const listFeatured = defineQuery({
  name: 'ListFeatured',
  summary: 'List the featured tokens',
  route: { method: 'GET', url: '/featured', auth: 'none' },
  input: {},
  output: Type.Object({ featured: Type.Array(FeaturedPromotion) }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { readModel, clock } }) {
    const now = clock.now();
    const at = now.toISOString();
    const { entries } = (await readModel.get(featured, FEATURED_LIST)) ?? { entries: [] };
    const running = entries.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
    const promoted = await Promise.all(running.map(({ tokenId }) => readModel.get(tokens, tokenId)));
    return {
      featured: running
        .filter((_entry, index) => promoted[index] !== undefined && !promoted[index].hidden)
        .toSorted((one, other) => (one.startsAt < other.startsAt ? 1 : -1))
        .map((entry) => viewOf(entry, now)),
    };
  },
});

function viewOf({ tokenId: _tokenId, ...entry }: FeaturedEntry, now: Date) {
  const left = Date.parse(entry.endsAt) - now.getTime();
  return { ...entry, daysRemaining: Math.ceil(left / MILLISECONDS_A_DAY) };
}
