/** The form in which promotions are shown. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address, Timestamp } from '../streams/values.ts';

export const FeaturedPromotion = Type.Object(
  {
    id: Uuid,
    tokenMint: Address,
    token: Type.Object({
      name: Type.String({ examples: ['Sunrise'] }),
      symbol: Type.String({ examples: ['SUN'] }),
      imageUri: Type.String({
        examples: [
          'https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
        ],
      }),
      description: Type.String({ examples: ['Shares its tax with its holders.'] }),
    }),
    startsAt: Timestamp,
    endsAt: Type.String({ ...Timestamp, examples: ['2026-11-28T12:00:00.000Z'] }),
    daysRemaining: Type.Number({
      description: 'Whole days until `endsAt`, rounded up.',
      examples: [7],
    }),
  },
  { title: 'FeaturedPromotion' },
);
