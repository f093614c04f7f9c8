// The featured list: who has a place, when the next is free, and when a promotion that is paid now begins.
import { describe, expect, test } from 'vitest';
import {
  type FeaturedListEvent,
  featuredList,
  PromotionBooked,
  PromotionEnded,
} from '../../../src/streams/featured-list.ts';
import { freePlace, promotionPeriod, requireFreePlace } from '../../../src/streams/featured-places.ts';
import { rejectionOf } from '../../support/command-spec.ts';
import { ids } from '../../support/domain-examples.ts';
import { promotionId, promotionStarted } from '../../support/promotion-examples.ts';

const [one, two, three] = [ids.tokenId, ids.walletId, ids.transactionId];
const other = ids.otherTransactionId;
const noon = '2026-05-04T12:00:00.000Z';
const stateAfter = (...events: readonly FeaturedListEvent[]) =>
  events.reduce(featuredList.evolve, featuredList.initial);
const booked = (transactionId: string, tokenId: string, voided: string[] = []) =>
  PromotionBooked({ transactionId, promotionId, tokenId, voided });
const started = (transactionId: string, tokenId: string, endsAt: string, paidAt?: string) =>
  promotionStarted({
    transactionId,
    endsAt,
    ...(paidAt === undefined ? {} : { paidAt }),
    promotion: { tokenId, promotionId: transactionId },
  });

const free = (
  events: readonly FeaturedListEvent[],
  request: { tokenId?: string; now?: string; places?: number; lost?: string[] } = {},
) => freePlace(stateAfter(...events), { tokenId: three, now: noon, places: 2, lost: [], ...request });

describe('a place on the featured list', () => {
  const both = [started(one, one, '2026-05-06T00:00:00.000Z'), started(two, two, '2026-05-05T00:00:00.000Z')];

  test('is taken by as many tokens as there are places; the next is free from the moment on at which the first of them leaves', () => {
    expect(free(both)).toBe('2026-05-05T00:00:00.000Z');
    expect(free(both, { places: 1 })).toBe('2026-05-06T00:00:00.000Z');
    expect(free(both, { places: 3 })).toBeUndefined();
    expect(free(both, { now: '2026-05-05T00:00:00.000Z' })).toBeUndefined();
  });

  test('counts tokens and not promotions: what a token buys on top takes no other place', () => {
    const full = [
      started(one, one, '2026-05-06T00:00:00.000Z'),
      started(other, one, '2026-05-08T00:00:00.000Z'),
    ];
    expect(free(full)).toBeUndefined();
    expect(free(full, { places: 1 })).toBe('2026-05-08T00:00:00.000Z');
    expect(free(full, { places: 1, tokenId: one })).toBeUndefined();
  });

  test('is held by a payment on its way, unless its draft has ended without one', () => {
    const full = [booked(one, one), booked(two, two)];
    expect(free(full)).toBe(noon);
    expect(free(full, { tokenId: two })).toBeUndefined();
    expect(free(full, { lost: [one] })).toBeUndefined();
    expect(free([...full, booked(three, three, [one])], { tokenId: other })).toBe(noon);
  });
});

describe('the list', () => {
  test('keeps every booking but those that a later one says have ended, and the one that was paid', () => {
    const bookings = (...events: readonly FeaturedListEvent[]) =>
      stateAfter(...events).bookings.map(({ transactionId }) => transactionId);
    const before = [booked(one, one), booked(two, two)];
    expect(bookings(...before, booked(three, three))).toEqual([one, two, three]);
    expect(bookings(...before, booked(three, three, [one]))).toEqual([two, three]);
    expect(bookings(...before, started(one, one, '2026-05-06T00:00:00.000Z'))).toEqual([two]);
  });

  test('ends the promotion that an operator ended, early, and no other', () => {
    const end = PromotionEnded({ promotionId: two, tokenId: two, reason: 'A scam.', endedAt: noon });
    const [first, second] = [
      started(one, one, '2026-05-06T00:00:00.000Z'),
      started(two, two, '2026-05-09T00:00:00.000Z'),
    ];
    expect(stateAfter(first, second, end).periods).toMatchObject([
      { promotionId: one, endsAt: '2026-05-06T00:00:00.000Z', endedEarly: false },
      { promotionId: two, endsAt: noon, endedEarly: true },
    ]);
  });
});

describe('a promotion that is paid', () => {
  test('begins at once, and lasts for whole days', () => {
    expect(promotionPeriod(stateAfter(), { tokenId: one, now: noon, days: 3 })).toEqual({
      startsAt: noon,
      endsAt: '2026-05-07T12:00:00.000Z',
    });
  });

  test('begins when the one before it of the same token ends', () => {
    const state = stateAfter(
      started(one, one, '2026-05-06T00:00:00.000Z'),
      started(two, two, '2026-05-20T00:00:00.000Z'),
    );
    expect(promotionPeriod(state, { tokenId: one, now: noon, days: 1 })).toEqual({
      startsAt: '2026-05-06T00:00:00.000Z',
      endsAt: '2026-05-07T00:00:00.000Z',
    });
  });

  test('begins at once when the one before it is over, or was ended', () => {
    const first = started(one, one, '2026-05-06T00:00:00.000Z');
    const ended = PromotionEnded({ promotionId: one, tokenId: one, reason: 'Asked for.', endedAt: noon });
    const later = '2026-05-06T00:00:00.001Z';
    expect(promotionPeriod(stateAfter(first), { tokenId: one, now: later, days: 1 }).startsAt).toBe(later);
    expect(promotionPeriod(stateAfter(first, ended), { tokenId: one, now: noon, days: 1 }).startsAt).toBe(
      noon,
    );
  });
});

test('the list forgets what was over when another promotion was paid', () => {
  const state = stateAfter(
    started(one, one, '2026-05-05T10:00:00.000Z'),
    started(two, two, '2026-05-09T10:00:00.000Z', '2026-05-05T10:00:00.000Z'),
  );
  expect(state.periods.map(({ tokenId }) => tokenId)).toEqual([two]);
});

describe('a creator for whom no place is free', () => {
  const endsAt = '2026-05-06T00:00:00.000Z';
  const running = started(one, one, endsAt);
  const paying = booked(two, two);
  const refusal = (places: number, ...events: readonly FeaturedListEvent[]) =>
    rejectionOf(() =>
      requireFreePlace(stateAfter(...events), { tokenId: three, now: noon, places, lost: [] }),
    );

  test('where all places are paid for, it is told when the first of them becomes free', () => {
    const refused = refusal(1, running);
    expect(refused).toMatchObject({ code: 'FEATURED_LIST_FULL', details: [{ message: endsAt }] });
    expect(refused.message).toContain(endsAt);
  });

  test('where the last place is just being paid for, no time is promised: whether it becomes free shows soon', () => {
    const refused = refusal(2, running, paying);
    expect(refused).toMatchObject({ code: 'FEATURED_LIST_FULL', retryAfterSeconds: 60 });
    expect(refused.details ?? []).toEqual([]);
    expect(refused.message).not.toContain(noon);
  });
});
