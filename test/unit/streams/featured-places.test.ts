// What a creator is told for whom no place on the featured list is free.
import { expect, test } from 'vitest';
import { Rejection } from '../../../src/kernel/runtime/rejection.ts';
import { type FeaturedListEvent, featuredList, PromotionBooked } from '../../../src/streams/featured-list.ts';
import { requireFreePlace } from '../../../src/streams/featured-places.ts';
import { ids } from '../../support/domain-examples.ts';
import { promotionId, promotionStarted } from '../../support/promotion-examples.ts';

const now = '2026-05-04T12:00:00.000Z';
const endsAt = '2026-05-06T00:00:00.000Z';
const running = promotionStarted({ endsAt });
const paying = PromotionBooked({
  transactionId: ids.otherTransactionId,
  promotionId,
  tokenId: ids.walletId,
  voided: [],
});

function refusal(places: number, ...events: readonly FeaturedListEvent[]): Rejection {
  const state = events.reduce(featuredList.evolve, featuredList.initial);
  try {
    requireFreePlace(state, { tokenId: ids.transactionId, now, places, lost: [] });
  } catch (error) {
    if (error instanceof Rejection) return error;
  }
  throw new Error('a rejection was expected');
}

test('where all places are paid for, it is told when the first of them becomes free', () => {
  const refused = refusal(1, running);
  expect(refused).toMatchObject({ code: 'FEATURED_LIST_FULL', details: [{ message: endsAt }] });
  expect(refused.message).toContain(endsAt);
});

test('where the last place is just being paid for, no time is promised: whether it becomes free shows soon', () => {
  const refused = refusal(2, running, paying);
  expect(refused).toMatchObject({ code: 'FEATURED_LIST_FULL', retryAfterSeconds: 60 });
  expect(refused.details ?? []).toEqual([]);
  expect(refused.message).not.toContain(now);
});
