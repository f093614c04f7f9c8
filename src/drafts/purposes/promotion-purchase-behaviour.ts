/** Drafts that pay for a promotion on the featured list: booked on submission, started when the payment is final. */
import type { Executor } from '../../kernel/runtime/execute.ts';
import {
  FEATURED_LIST,
  type FeaturedListEvent,
  type FeaturedListState,
  featuredList,
  PromotionBooked,
  PromotionStarted,
} from '../../streams/featured-list.ts';
import {
  type PlaceRequest,
  promotionPeriod,
  requireFreePlace,
  tokenHiddenRejection,
} from '../../streams/featured-places.ts';
import type { PromotionPurchase } from '../../streams/purposes/promotion-purchase.ts';
import { rejection } from '../../streams/rejections.ts';
import { token } from '../../streams/token.ts';
import { endedDrafts } from '../require-draft.ts';
import { type LandedDraft, memoSigners, type PurposeBehaviour } from './purpose-behaviour.ts';

export const promotionPurchase: PurposeBehaviour<PromotionPurchase> = {
  kind: 'promotion-purchase',

  signers: memoSigners,

  async claim({ transactionId, subject: { promotionId, tokenId } }, { executor, clock, policy }, cause) {
    await requireVisible(executor, tokenId);
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
    await executor.execute(featuredList, FEATURED_LIST, cause, (state) =>
      decideBooking(state, { transactionId, promotionId }, request),
    );
  },

  async record(landed, { executor, clock }, cause) {
    const paidAt = clock.now().toISOString();
    await executor.execute(featuredList, FEATURED_LIST, cause, (state, { events }) =>
      decideStart(state, events, landed, paidAt),
    );
  },

  async recorded({ transactionId }, { executor }) {
    const { events } = await executor.load(featuredList, FEATURED_LIST, { trust: 'cached' });
    return events
      .filter((event) => event.type === 'PromotionStarted')
      .find(({ data }) => data.transactionId === transactionId);
  },
};

/** Books a place on the featured list, once per draft. Throws if none is free. */
export function decideBooking(
  state: FeaturedListState,
  { transactionId, promotionId }: { readonly transactionId: string; readonly promotionId: string },
  request: PlaceRequest,
): readonly FeaturedListEvent[] {
  // A promotion that has already started runs for at least a day, so `periods` still includes it.
  const isKnown = [...state.bookings, ...state.periods].some((each) => each.transactionId === transactionId);
  if (isKnown) return [];
  requireFreePlace(state, request);
  const { tokenId, lost } = request;
  return [PromotionBooked({ transactionId, promotionId, tokenId, voided: [...lost] })];
}

export function decideStart(
  state: FeaturedListState,
  events: readonly FeaturedListEvent[],
  { transactionId, creator, subject, landed: { signature } }: LandedDraft<PromotionPurchase>,
  paidAt: string,
): readonly FeaturedListEvent[] {
  const isStart = (event: FeaturedListEvent) =>
    event.type === 'PromotionStarted' && event.data.transactionId === transactionId;
  if (events.some(isStart)) return [];
  const period = promotionPeriod(state, { tokenId: subject.tokenId, now: paidAt, days: subject.days });
  return [PromotionStarted({ transactionId, signature, creator, promotion: subject, paidAt, ...period })];
}

/** After the draft was issued, an operator may have hidden the token, or a fork may have reverted it. */
async function requireVisible(executor: Executor, tokenId: string): Promise<void> {
  const { state } = await executor.load(token, tokenId);
  if (!state?.exists) throw rejection('TOKEN_NOT_FOUND', 'Token not found.');
  if (state.hidden !== undefined) throw tokenHiddenRejection();
}
