// The read model of the featured list.
import { describe, test } from 'vitest';
import { featuredList } from '../../../src/projections/featured-list.ts';
import { FEATURED_LIST, PromotionEnded } from '../../../src/streams/featured-list.ts';
import { ids } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { promotionId, promotionStarted, purchase } from '../../support/promotion-examples.ts';
import { happening } from '../../support/recorded-events.ts';

const first = happening(FEATURED_LIST, promotionStarted());
const entry = {
  id: promotionId,
  tokenId: purchase.tokenId,
  tokenMint: purchase.mintAddress,
  token: purchase.card,
  startsAt: '2026-05-04T10:00:00.000Z',
  endsAt: '2026-05-05T10:00:00.000Z',
};
const later = {
  transactionId: ids.otherTransactionId,
  promotion: { promotionId: ids.otherTransactionId },
  startsAt: '2026-05-05T10:00:00.000Z',
  endsAt: '2026-05-06T10:00:00.000Z',
};
const laterEntry = {
  ...entry,
  id: ids.otherTransactionId,
  startsAt: later.startsAt,
  endsAt: later.endsAt,
};

describe('featured', () => {
  const spec = projectionSpec(featuredList);

  test('holds those that are to come as well', () => {
    spec.given(first, happening(FEATURED_LIST, promotionStarted(later))).gives({
      list: { entries: [entry, laterEntry] },
    });
  });

  test('lets go of what was over when another was paid', () => {
    const paidLater = promotionStarted({ ...later, paidAt: '2026-05-05T10:00:00.000Z' });
    spec.given(first, happening(FEATURED_LIST, paidLater)).gives({ list: { entries: [laterEntry] } });
  });

  test('lets go of what an operator ended', () => {
    const ended = PromotionEnded({
      promotionId,
      tokenId: purchase.tokenId,
      reason: 'A scam.',
      endedAt: '2026-05-04T12:00:00.000Z',
    });
    spec
      .given(first, happening(FEATURED_LIST, promotionStarted(later)), happening(FEATURED_LIST, ended))
      .gives({ list: { entries: [laterEntry] } });
  });
});
