/** The form in which promotions are shown. */
import { Type } from '@sinclair/typebox';
import { Address, Timestamp, Uuid } from '../streams/values.ts';

export const FeaturedPromotion = Type.Object({
  id: Uuid,
  tokenMint: Address,
  token: Type.Object({
    name: Type.String(),
    symbol: Type.String(),
    imageUri: Type.String(),
    description: Type.String(),
  }),
  startsAt: Timestamp,
  endsAt: Timestamp,
  daysRemaining: Type.Number({ description: 'Whole days until `endsAt`, rounded up.' }),
});
