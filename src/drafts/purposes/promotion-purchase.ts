/** Drafts that pay for a place on the featured list: booked when they are submitted, begun when the payment is final. */
import type { Executor } from '../../runtime/execute.ts';
import { draft } from '../../streams/draft.ts';
import {
  FEATURED_LIST,
  type FeaturedListState,
  featuredList,
  freePlace,
  PromotionBooked,
  PromotionStarted,
  stayOf,
} from '../../streams/featured-list.ts';
import type { PromotionPurchase } from '../../streams/purposes/promotion-purchase.ts';
import { rejection } from '../../streams/rejections.ts';
import { token } from '../../streams/token.ts';
import type { PurposeBehaviour } from './purpose-behaviour.ts';

export const promotionPurchase: PurposeBehaviour<PromotionPurchase> = {
  kind: 'promotion-purchase',

  signers: () => [],

  async claim({ transactionId, subject: { promotionId, tokenId } }, { executor, clock, policy }, cause) {
    await requireShown(executor, tokenId);
    const { state: before } = await executor.load(featuredList, FEATURED_LIST);
    const voided = await lostBookings(executor, before);
    const wish = {
      tokenId,
      now: clock.now().toISOString(),
      places: policy.featuredPlaces,
      lost: voided,
    };
    await executor.execute(featuredList, FEATURED_LIST, cause, (state, { events }) => {
      const isKnown =
        state.bookings.some((booking) => booking.transactionId === transactionId) ||
        events.some(({ type, data }) => type === 'PromotionStarted' && data.transactionId === transactionId);
      if (isKnown) return [];
      requireFreePlace(state, wish);
      return [PromotionBooked({ transactionId, promotionId, tokenId, voided: [...voided] })];
    });
  },

  async record({ transactionId, creator, subject, landed: { signature } }, { executor, clock }, cause) {
    const paidAt = clock.now().toISOString();
    await executor.execute(featuredList, FEATURED_LIST, cause, (state, { events }) => {
      if (
        events.some(({ type, data }) => type === 'PromotionStarted' && data.transactionId === transactionId)
      )
        return [];
      const stay = stayOf(state, { tokenId: subject.tokenId, now: paidAt, days: subject.days });
      return [PromotionStarted({ transactionId, signature, creator, promotion: subject, paidAt, ...stay })];
    });
  },

  async recorded({ transactionId }, { executor }) {
    const { events } = await executor.load(featuredList, FEATURED_LIST);
    return events
      .filter((event) => event.type === 'PromotionStarted')
      .find(({ data }) => data.transactionId === transactionId);
  },
};

/** An operator, or a fork, may have taken the token away since the payment was asked for. */
async function requireShown(executor: Executor, tokenId: string): Promise<void> {
  const { state } = await executor.load(token, tokenId);
  if (!state?.exists) throw rejection('TOKEN_NOT_FOUND', 'There is no such token.');
  if (state.hidden !== undefined) throw tokenHidden();
}

/** Why no place is sold to a token that an operator has hidden. */
export function tokenHidden() {
  return rejection('TOKEN_HIDDEN', 'An operator has hidden this token; a promotion would not be seen.');
}

/** Rejects with `FEATURED_LIST_FULL`, and says when a place becomes free, where that is known. */
export function requireFreePlace(state: FeaturedListState, wish: Parameters<typeof freePlace>[1]): void {
  const freeAt = freePlace(state, wish);
  if (freeAt === undefined) return;
  if (freeAt <= wish.now) {
    throw rejection(
      'FEATURED_LIST_FULL',
      'Every place on the featured list is taken, one by a payment that is under way; try again when that is settled.',
      { retryAfterSeconds: 60 },
    );
  }
  throw rejection(
    'FEATURED_LIST_FULL',
    `Every place on the featured list is taken; the next is free at ${freeAt}.`,
    { details: [{ path: ['freeAt'], message: freeAt }] },
  );
}

/** The drafts whose bookings came to nothing: they ended, and no payment of theirs can land any more. */
export async function lostBookings(
  executor: Executor,
  { bookings }: FeaturedListState,
): Promise<readonly string[]> {
  const ended = await Promise.all(
    bookings.map(async ({ transactionId }) => {
      const { status } = (await executor.load(draft, transactionId)).state;
      return status === 'failed' || status === 'expired' || status === 'superseded';
    }),
  );
  return bookings.filter((_, index) => ended[index]).map(({ transactionId }) => transactionId);
}
