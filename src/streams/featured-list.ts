/**
 * The one stream of the featured list: whose payment holds a place, which promotions run, and until when. One stream for
 * all, because places are counted across tokens.
 */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../runtime/define-stream.ts';
import { PromotionPurchase } from './purposes/promotion-purchase.ts';
import { Address, Signature, Timestamp, Uuid } from './values.ts';

/** The id of the stream; there is one list. */
export const FEATURED_LIST = 'list';

export const featuredListEvents = {
  /** A payment that is about to be sent holds a place for its token from here on. */
  PromotionBooked: Type.Object({
    transactionId: Uuid,
    promotionId: Uuid,
    tokenId: Uuid,
    /** Drafts that ended without a payment: their bookings are void. */
    voided: Type.Array(Uuid),
  }),
  /** The payment is final. */
  PromotionStarted: Type.Object({
    transactionId: Uuid,
    signature: Signature,
    creator: Address,
    promotion: PromotionPurchase,
    paidAt: Timestamp,
    /** When it was paid, or when the token's promotion before it ends. */
    startsAt: Timestamp,
    endsAt: Timestamp,
  }),
  /** An operator took it off the list before its time. */
  PromotionEnded: Type.Object({
    promotionId: Uuid,
    tokenId: Uuid,
    reason: Type.String(),
    endedAt: Timestamp,
  }),
};

export type FeaturedListEvent = EventOf<typeof featuredListEvents>;

export const { PromotionBooked, PromotionStarted, PromotionEnded } = constructorsOf(featuredListEvents);

export type StartedPromotion = Static<typeof featuredListEvents.PromotionStarted>;

export interface Booking {
  readonly transactionId: string;
  readonly tokenId: string;
}

export interface Stay {
  readonly promotionId: string;
  readonly transactionId: string;
  readonly tokenId: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly endedEarly: boolean;
}

export interface FeaturedListState {
  readonly bookings: readonly Booking[];
  /** Promotions that ran or were to come when the latest one was paid, in the order of their payment. */
  readonly stays: readonly Stay[];
}

export const featuredList = defineStream({
  category: 'featured',
  events: featuredListEvents,
  initial: { bookings: [], stays: [] } as FeaturedListState,
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
          stays: [
            // What is over by now says nothing about any later day.
            ...state.stays.filter((stay) => stay.endsAt > paidAt),
            { promotionId, transactionId, tokenId, startsAt, endsAt, endedEarly: false },
          ],
        };
      }
      case 'PromotionEnded': {
        const { promotionId, endedAt } = event.data;
        const stays = state.stays.map((stay) =>
          stay.promotionId === promotionId ? { ...stay, endsAt: endedAt, endedEarly: true } : stay,
        );
        return { ...state, stays };
      }
    }
  },
});

/**
 * When a place is free for the token: undefined if one is free now, else the time at which one will be. A token that has a
 * place, or has booked one, needs no other: what it buys comes after what it has. `lost` names drafts whose bookings count
 * no more.
 */
export function freePlace(
  { bookings, stays }: FeaturedListState,
  wish: {
    readonly tokenId: string;
    readonly now: string;
    readonly places: number;
    readonly lost: readonly string[];
  },
): string | undefined {
  const { tokenId, now, places, lost } = wish;
  /** By token, when its place becomes free; a booked place at the earliest right away. */
  const taken = new Map<string, string>();
  for (const booking of bookings) if (!lost.includes(booking.transactionId)) taken.set(booking.tokenId, now);
  for (const stay of stays) {
    if (stay.endsAt <= now) continue;
    const until = taken.get(stay.tokenId);
    if (until === undefined || until < stay.endsAt) taken.set(stay.tokenId, stay.endsAt);
  }
  if (taken.has(tokenId) || taken.size < places) return undefined;
  return [...taken.values()].toSorted()[taken.size - places];
}

/** From when to when a promotion that is paid now stands on the list. */
export function stayOf(
  { stays }: FeaturedListState,
  wish: { readonly tokenId: string; readonly now: string; readonly days: number },
): { readonly startsAt: string; readonly endsAt: string } {
  const startsAt = stays
    .filter((stay) => stay.tokenId === wish.tokenId)
    .reduce((latest, { endsAt }) => (endsAt > latest ? endsAt : latest), wish.now);
  const endsAt = new Date(Date.parse(startsAt) + wish.days * MILLISECONDS_A_DAY).toISOString();
  return { startsAt, endsAt };
}

export const MILLISECONDS_A_DAY = 86_400_000;
