/**
 * Projection with one document for the whole featured list: the promotions that were current or upcoming at the latest payment.
 * The reader's clock decides which are current now, and the token's own document whether it is hidden.
 */
import { FEATURED_LIST } from '../streams/featured-list.ts';
import type { PromotionPurchase } from '../streams/purposes/promotion-purchase.ts';
import { defineProjection } from './levy-projection.ts';

export type FeaturedEntry = {
  readonly id: string;
  readonly tokenId: string;
  readonly tokenMint: string;
  readonly token: PromotionPurchase['card'];
  readonly startsAt: string;
  readonly endsAt: string;
};

export type FeaturedDocument = { readonly entries: readonly FeaturedEntry[] };

const theList = (): string => FEATURED_LIST;

export const featuredList = defineProjection<FeaturedDocument>({
  name: 'featured',
  version: 1,
  on: {
    PromotionStarted: {
      key: theList,
      apply(document, { data: { promotion, paidAt, startsAt, endsAt } }) {
        const kept = document?.entries.filter((entry) => entry.endsAt > paidAt) ?? [];
        const { promotionId, tokenId, mintAddress, card } = promotion;
        const entry = { id: promotionId, tokenId, tokenMint: mintAddress, token: card, startsAt, endsAt };
        return { entries: [...kept, entry] };
      },
    },
    PromotionEnded: {
      key: theList,
      apply: (document, { data: { promotionId } }) =>
        document && { entries: document.entries.filter(({ id }) => id !== promotionId) },
    },
  },
});
