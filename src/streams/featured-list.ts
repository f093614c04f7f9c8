/**
 * Singleton stream of the featured list: bookings of places, and periods of promotions. One stream for all tokens, because places
 * are counted across them.
 */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { PromotionPurchase } from './purposes/promotion-purchase.ts';
import { Address, Signature, Timestamp } from './value-types.ts';

/** Id of the singleton stream. */
export const FEATURED_LIST = 'list';

export const featuredListEvents = {
  /** Reserves a place for a token, because its payment is about to be sent. */
  PromotionBooked: Type.Object({
    transactionId: Uuid,
    promotionId: Uuid,
    tokenId: Uuid,
    /** Drafts that ended without a payment, so their bookings are void. */
    voided: Type.Array(Uuid),
  }),
  /** The payment is final. */
  PromotionStarted: Type.Object({
    transactionId: Uuid,
    signature: Signature,
    creator: Address,
    promotion: PromotionPurchase,
    paidAt: Timestamp,
    /** Time of the payment, or the end of the token's previous promotion. */
    startsAt: Timestamp,
    endsAt: Timestamp,
  }),
  /** An operator ended the promotion early. */
  PromotionEnded: Type.Object({
    promotionId: Uuid,
    tokenId: Uuid,
    reason: Type.String(),
    endedAt: Timestamp,
  }),
};

export type FeaturedListEvent = EventOf<typeof featuredListEvents>;

export const { PromotionBooked, PromotionStarted, PromotionEnded } = constructorsOf(featuredListEvents);

interface Booking {
  readonly transactionId: string;
  readonly tokenId: string;
}

/** Period in which a promotion is on the list. */
interface PromotionPeriod {
  readonly promotionId: string;
  readonly transactionId: string;
  readonly tokenId: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly endedEarly: boolean;
}

export interface FeaturedListState {
  readonly bookings: readonly Booking[];
  /** Promotions that had not ended when the latest one was paid, in order of payment. */
  readonly periods: readonly PromotionPeriod[];
}

export const featuredList = defineStream({
  category: 'featured',
  events: featuredListEvents,
  internal: {
    PromotionBooked: 'A payment is about to be sent; only its success is published.',
  },
  initial: { bookings: [], periods: [] } as FeaturedListState,
  evolve(state, event): FeaturedListState {
    switch (event.type) {
      case 'PromotionBooked': {
        const { transactionId, tokenId, voided } = event.data;
        const kept = state.bookings.filter((booking) => !voided.includes(booking.transactionId));
        return { ...state, bookings: [...kept, { transactionId, tokenId }] };
      }
      case 'PromotionStarted': {
        const { transactionId, promotion, paidAt, startsAt, endsAt } = event.data;
        const { promotionId, tokenId } = promotion;
        return {
          bookings: state.bookings.filter((booking) => booking.transactionId !== transactionId),
          periods: [
            // Periods that have ended affect no later request.
            ...state.periods.filter((period) => period.endsAt > paidAt),
            { promotionId, transactionId, tokenId, startsAt, endsAt, endedEarly: false },
          ],
        };
      }
      case 'PromotionEnded': {
        const { promotionId, endedAt } = event.data;
        const periods = state.periods.map((period) =>
          period.promotionId === promotionId ? { ...period, endsAt: endedAt, endedEarly: true } : period,
        );
        return { ...state, periods };
      }
    }
  },
});
