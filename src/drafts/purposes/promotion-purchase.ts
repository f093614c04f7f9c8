/** Drafts that pay for a place on the featured list: booked at the submission, started when the payment is final. */
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
  tokenHidden,
} from '../../streams/featured-places.ts';
import type { PromotionPurchase } from '../../streams/purposes/promotion-purchase.ts';
import { rejection } from '../../streams/rejections.ts';
import { token } from '../../streams/token.ts';
import { endedDrafts } from '../ended-drafts.ts';
import { memoSigners } from '../memo-signers.ts';
import type { LandedDraft, PurposeBehaviour } from './purpose-behaviour.ts';
import { recordOnce } from './record-once.ts';

export const promotionPurchase: PurposeBehaviour<PromotionPurchase> = {
  kind: 'promotion-purchase',

  signers: memoSigners,

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
    await executor.execute(featuredList, FEATURED_LIST, cause, (state) =>
      decideBooking(state, { transactionId, promotionId }, request),
    );
  },

  async record(landed, { executor, clock }, cause) {
    const { transactionId, creator, subject } = landed;
    const { signature } = landed.landed;
    const paidAt = clock.now().toISOString();
    const list = { stream: featuredList, streamId: FEATURED_LIST };
    await recordOnce(executor, list, startBy(landed), cause, (state) => {
      const period = promotionPeriod(state, { tokenId: subject.tokenId, now: paidAt, days: subject.days });
      return PromotionStarted({ transactionId, signature, creator, promotion: subject, paidAt, ...period });
    });
  },

  async recorded(landed, { executor }) {
    return (await executor.findLast(featuredList, FEATURED_LIST, startBy(landed))).event;
  },
};

/** Books a place, once. Throws where none is free. */
export function decideBooking(
  state: FeaturedListState,
  { transactionId, promotionId }: { readonly transactionId: string; readonly promotionId: string },
  request: PlaceRequest,
): readonly FeaturedListEvent[] {
  // A promotion that has started meanwhile runs for a day at least.
  const isKnown = [...state.bookings, ...state.periods].some((each) => each.transactionId === transactionId);
  if (isKnown) return [];
  requireFreePlace(state, request);
  const { tokenId, lost } = request;
  return [PromotionBooked({ transactionId, promotionId, tokenId, voided: [...lost] })];
}

function startBy({ transactionId, begunAt }: LandedDraft<PromotionPurchase>) {
  return {
    type: 'PromotionStarted',
    after: begunAt,
    matches: ({ data }: { readonly data: { readonly transactionId: string } }) =>
      data.transactionId === transactionId,
  } as const;
}

/** Since the draft was issued, an operator may have hidden the token or a fork may have taken it back. */
async function requireShown(executor: Executor, tokenId: string): Promise<void> {
  const { state } = await executor.load(token, tokenId);
  if (!state?.exists) throw rejection('TOKEN_NOT_FOUND', 'There is no such token.');
  if (state.hidden !== undefined) throw tokenHidden();
}
