/** Promotions that fit every schema, for tests that only need some. */

import { PromotionStarted } from '../../src/streams/featured-list.ts';
import type { PromotionPurchase } from '../../src/streams/purposes/promotion-purchase.ts';
import { addresses, ids, signatures, token } from './domain-examples.ts';

export const promotionId = '5b0c9a54-54a7-5b0c-9d62-0d6c7f6f2a02';

export const purchase: PromotionPurchase = {
  kind: 'promotion-purchase',
  tokenId: ids.tokenId,
  mintAddress: addresses.mint,
  promotionId,
  days: 1,
  price: '100000000',
  treasury: addresses.otherCreator,
  card: {
    name: token.name,
    symbol: token.symbol,
    imageUri: token.imageUri,
    description: token.description,
  },
};

/** Promotion of one day from its payment on, unless the fields differ. */
export function promotionStarted(
  fields: Partial<Omit<Parameters<typeof PromotionStarted>[0], 'promotion'>> & {
    readonly promotion?: Partial<PromotionPurchase>;
  } = {},
) {
  const paidAt = fields.paidAt ?? '2026-05-04T10:00:00.000Z';
  return PromotionStarted({
    transactionId: ids.transactionId,
    signature: signatures.first,
    creator: addresses.creator,
    paidAt,
    startsAt: paidAt,
    endsAt: '2026-05-05T10:00:00.000Z',
    ...fields,
    promotion: { ...purchase, ...fields.promotion },
  });
}
