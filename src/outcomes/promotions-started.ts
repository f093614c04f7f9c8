/** A token was put on the featured list: the payment is final. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address, Amount, Signature, Timestamp } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const promotionsStarted = defineOutcome({
  name: 'promotions.started',
  summary: 'A place on the featured list was paid for; it begins at `startsAt`, which may be to come.',
  of: 'PromotionStarted',
  audience: 'public',
  data: Type.Object({
    promotionId: Uuid,
    tokenId: Uuid,
    mintAddress: Address,
    /** Lamports. */
    price: Amount,
    signature: Signature,
    startsAt: Timestamp,
    endsAt: Timestamp,
  }),
  subject: ({ data }) => data.promotion.promotionId,
  hiddenWith: ({ data }) => data.promotion.tokenId,
  tell: ({ data: { promotion, signature, startsAt, endsAt } }) => ({
    promotionId: promotion.promotionId,
    tokenId: promotion.tokenId,
    mintAddress: promotion.mintAddress,
    price: promotion.price,
    signature,
    startsAt,
    endsAt,
  }),
});
