/** A launch reached its target for the first time. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address, Amount, U128 } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const launchesCompleted = defineOutcome({
  name: 'launches.completed',
  summary: 'A launch reached its target market cap; the price may fall below it again.',
  of: 'LaunchCompleted',
  audience: 'public',
  data: Type.Object({
    tokenId: Uuid,
    mintAddress: Address,
    poolAddress: Address,
    /** Lamports. */
    marketCap: U128,
    /** Base units. */
    tokensSold: Amount,
    /** Lamports. */
    solCollected: Amount,
  }),
  subject: ({ data }) => data.tokenId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId, mintAddress, poolAddress, marketCap, tokensSold, solCollected } }) => ({
    tokenId,
    mintAddress,
    poolAddress,
    marketCap,
    tokensSold,
    solCollected,
  }),
});
