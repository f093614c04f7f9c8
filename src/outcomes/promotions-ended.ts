/** An operator took a promotion off the featured list before its end. An end on time is not published. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Timestamp } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const promotionsEnded = defineOutcome({
  name: 'promotions.ended',
  summary: 'A promotion was taken off the featured list before its time.',
  of: 'PromotionEnded',
  audience: 'public',
  // The reason stays between the operator and the creator.
  data: Type.Object({ promotionId: Uuid, tokenId: Uuid, endedAt: Timestamp }),
  subject: ({ data }) => data.promotionId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { promotionId, tokenId, endedAt } }) => ({ promotionId, tokenId, endedAt }),
});
