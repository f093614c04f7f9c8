/** Returns the running promotions, latest start first. A promotion disappears as soon as it ends. */

import { type Static, Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type FeaturedEntry, featuredList } from '../projections/featured-list.ts';
import { tokens } from '../projections/tokens.ts';
import { FEATURED_LIST } from '../streams/featured-list.ts';
import { MILLISECONDS_PER_DAY, nextFreePlace, takenPlaces } from '../streams/featured-places.ts';
import { orNull, Timestamp } from '../streams/value-types.ts';
import { FeaturedPromotion } from '../views/featured-view.ts';
import type { ConfigServices } from './get-config.ts';

export const listFeatured = queriesFor<RuntimeServices & Pick<ConfigServices, 'publicConfiguration'>>()({
  name: 'ListFeatured',
  summary: 'List the featured tokens',
  description:
    'The running promotions, newest first, in one page. A promotion leaves the list as soon as it ends. ' +
    'Each token with a running or upcoming promotion takes a place, even if an operator has hidden the token.',
  route: { method: 'GET', url: '/featured', auth: 'none' },
  input: {},
  output: Type.Object({
    featured: Type.Array(FeaturedPromotion),
    freePlaces: Type.Integer({
      minimum: 0,
      description: 'Number of free places. Pending purchases may take them.',
      examples: [7],
    }),
    nextPlaceAt: orNull(Timestamp, {
      description: 'Time at which a place becomes free; null if one is free.',
    }),
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { readModel, clock, publicConfiguration } }) {
    const document = await readModel.get(featuredList, FEATURED_LIST);
    const entries = document?.entries ?? [];
    const promoted = await Promise.all(entries.map(({ tokenId }) => readModel.get(tokens, tokenId)));
    const at = clock.now().toISOString();
    const now = Date.parse(at);
    const { places } = publicConfiguration.promotions;
    const taken = takenPlaces([], entries, at);
    const shown = entries
      // Tokens whose creation a fork has reverted have no document.
      .filter((_entry, index) => promoted[index]?.hidden === null)
      .filter((entry) => beginOf(entry) <= now && now < endOf(entry))
      .toSorted((one, other) => (one.startsAt < other.startsAt ? 1 : -1));
    return {
      featured: shown.map((entry) => promotionView(entry, now)),
      freePlaces: Math.max(0, places - taken.size),
      nextPlaceAt: nextFreePlace(taken, places) ?? null,
    };
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
