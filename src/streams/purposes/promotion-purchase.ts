/** Purpose of drafts that pay for a place on the featured list. */
import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../../kernel/runtime/ids.ts';
import { Address, Amount } from '../value-types.ts';
import { definePurpose, subjectOf } from './define-purpose.ts';

/** Payment for a number of days on the featured list. */
export const PromotionPurchase = subjectOf('promotion-purchase', {
  promotionId: Uuid,
  days: Type.Integer({ minimum: 1 }),
  /** Lamports. */
  price: Amount,
  treasury: Address,
  /** Card of the token at the time of issue, for the list. */
  card: Type.Object({
    name: Type.String(),
    symbol: Type.String(),
    imageUri: Type.String(),
    description: Type.String(),
  }),
});

export type PromotionPurchase = Static<typeof PromotionPurchase>;

export const promotionPurchasePurpose = definePurpose({
  subject: PromotionPurchase,
  recordedWhen: 'finalized',
  recordedBy: 'PromotionStarted',
});
