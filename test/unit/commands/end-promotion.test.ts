// The rule of ending a promotion early: once, and only one that runs or is to come.
import { describe, expect, test } from 'vitest';
import { endPromotion } from '../../../src/commands/end-promotion.ts';
import { featuredList, PromotionEnded, PromotionStarted } from '../../../src/streams/featured-list.ts';
import { commandSpec } from '../../support/command-spec.ts';
import { contextAfter } from '../../support/context-after.ts';
import { ids } from '../../support/domain-examples.ts';
import { promotionId, promotionStarted, purchase } from '../../support/promotion-examples.ts';

const at = (endedAt: string, id = promotionId, wasStarted = true) => ({
  input: { params: { promotionId: id }, body: { reason: 'A scam.' } },
  facts: { reason: 'A scam.', endedAt, wasStarted },
  actor: 'operator:alice',
});
const noon = '2026-05-04T12:00:00.000Z';
const ended = PromotionEnded({ promotionId, tokenId: purchase.tokenId, reason: 'A scam.', endedAt: noon });

describe('EndPromotion', () => {
  const spec = commandSpec(endPromotion);

  test('ends a promotion that runs, with the reason', () => {
    spec.given(promotionStarted()).when(at(noon)).records(ended);
  });

  test('ends one that is to come', () => {
    const toCome = { startsAt: '2026-05-05T10:00:00.000Z', endsAt: '2026-05-06T10:00:00.000Z' };
    spec.given(promotionStarted(toCome)).when(at(noon)).records(ended);
  });

  test('records nothing for one that is over, or was ended before', () => {
    spec.given(promotionStarted()).when(at('2026-05-05T10:00:00.000Z')).recordsNothing();
    spec.given(promotionStarted(), ended).when(at('2026-05-04T13:00:00.000Z')).recordsNothing();
  });

  test('records nothing for one that is over and has left the list, where another was paid since', () => {
    const another = promotionStarted({ paidAt: '2026-05-06T10:00:00.000Z' });
    const later = { ...another.data, promotion: { ...another.data.promotion, promotionId: ids.walletId } };
    spec
      .given(promotionStarted(), ended, PromotionStarted(later))
      .when(at('2026-05-06T12:00:00.000Z'))
      .recordsNothing();
  });

  test('tells when one ended that has left the list, whatever became of another', async () => {
    const other = PromotionEnded({
      ...ended.data,
      promotionId: ids.walletId,
      endedAt: '2026-05-04T11:00:00.000Z',
    });
    const input = { params: { promotionId }, query: {}, body: { reason: 'A scam.' } };
    const told = (...events: ReturnType<typeof PromotionEnded>[]) =>
      endPromotion.respond(featuredList.initial, input, contextAfter([promotionStarted(), ...events, other]));
    const { startsAt, endsAt } = promotionStarted().data;
    expect(await told()).toEqual({ promotionId, startsAt, endsAt });
    expect(await told(ended)).toEqual({ promotionId, startsAt, endsAt: noon });
  });

  test('does not know a promotion that was never paid', () => {
    spec
      .given()
      .when(at(noon, promotionId, false))
      .rejects('PROMOTION_NOT_FOUND');
    spec
      .given(promotionStarted())
      .when(at(noon, ids.walletId, false))
      .rejects('PROMOTION_NOT_FOUND');
  });
});
