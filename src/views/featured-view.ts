/** View of a promotion. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { TokenCreation } from '../streams/purposes/token-creation.ts';
import { Address, Timestamp } from '../streams/value-types.ts';

export const FeaturedPromotion = Type.Object(
  {
    id: Uuid,
    tokenMint: Address,
    token: Type.Pick(TokenCreation, ['name', 'symbol', 'imageUri', 'description']),
    startsAt: Timestamp,
    endsAt: Type.String({ ...Timestamp, examples: ['2026-11-28T12:00:00.000Z'] }),
    daysRemaining: Type.Number({
      description: 'Whole days until `endsAt`, rounded up.',
      examples: [7],
    }),
  },
  { title: 'FeaturedPromotion' },
);
