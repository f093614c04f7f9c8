/** Drafts that pay for a place on the featured list: booked at the submission, started when the payment is final. */
import type { Executor } from '../../runtime/execute.ts';
import {
  FEATURED_LIST,
  featuredList,
  PromotionBooked,
  PromotionStarted,
} from '../../streams/featured-list.ts';
import { promotionPeriod, requireFreePlace, tokenHidden } from '../../streams/featured-places.ts';
import type { PromotionPurchase } from '../../streams/purposes/promotion-purchase.ts';
import { rejection } from '../../streams/rejections.ts';
import { token } from '../../streams/token.ts';
import { endedDrafts } from '../ended-drafts.ts';
import type { PurposeBehaviour } from './purpose-behaviour.ts';

export const promotionPurchase: PurposeBehaviour<PromotionPurchase> = {
  kind: 'promotion-purchase',

  signers: () => [],

  async claim({ transactionId, subject: { promotionId, tokenId } }, { executor, clock, policy }, cause) {
    await requireShown(executor, tokenId);
    const { state: before } = await executor.load(featuredList, FEATURED_LIST);
    const voided = await endedDrafts(
      executor,
      before.bookings.map((booking) => booking.transactionId),
    );
    const request = {
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
      requireFreePlace(state, request);
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
      const period = promotionPeriod(state, { tokenId: subject.tokenId, now: paidAt, days: subject.days });
      return [PromotionStarted({ transactionId, signature, creator, promotion: subject, paidAt, ...period })];
    });
  },

  async recorded({ transactionId }, { executor }) {
    const { events } = await executor.load(featuredList, FEATURED_LIST);
    return events
      .filter((event) => event.type === 'PromotionStarted')
      .find(({ data }) => data.transactionId === transactionId);
  },
};

/** Since the draft was issued, an operator may have hidden the token or a fork may have taken it back. */
async function requireShown(executor: Executor, tokenId: string): Promise<void> {
  const { state } = await executor.load(token, tokenId);
  if (!state?.exists) throw rejection('TOKEN_NOT_FOUND', 'There is no such token.');
  if (state.hidden !== undefined) throw tokenHidden();
}
