/** The tokens that are promoted now, the latest to have begun first. A promotion is gone the moment that it is over. */
import { Type } from '@sinclair/typebox';
import { type FeaturedEntry, featured } from '../projections/featured.ts';
import { tokens } from '../projections/tokens.ts';
import { JsonText } from '../runtime/define-query.ts';
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
    const shown = running
      .filter((_entry, index) => promoted[index] !== undefined && !promoted[index].hidden)
      .toSorted((one, other) => (one.startsAt < other.startsAt ? 1 : -1));
    return new JsonText(`{"featured":[${shown.map((entry) => textOf(entry, now)).join(',')}]}`);
  },
});

/** All of an entry but what the clock says of it. A read model that keeps the document gives the same entries again. */
const texts = new WeakMap<FeaturedEntry, string>();

function textOf(entry: FeaturedEntry, now: Date): string {
  let text = texts.get(entry);
  if (text === undefined) {
    const { tokenId: _tokenId, ...shown } = entry;
    text = JSON.stringify(shown).slice(0, -1);
    texts.set(entry, text);
  }
  const left = Date.parse(entry.endsAt) - now.getTime();
  return `${text},"daysRemaining":${Math.ceil(left / MILLISECONDS_A_DAY)}}`;
}
