/** A token went up for sale on the launch venue; the launch is final. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address, Amount, Signature, Timestamp } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const launchesStarted = defineOutcome({
  name: 'launches.started',
  summary: 'A token went up for sale on the launch venue; its liquidity is locked for ever.',
  of: 'LaunchStarted',
  audience: 'public',
  data: Type.Object({
    tokenId: Uuid,
    mintAddress: Address,
    poolAddress: Address,
    /** Lamports. */
    targetMarketCap: Amount,
    signature: Signature,
    startedAt: Timestamp,
  }),
  subject: ({ data }) => data.launch.tokenId,
  hiddenWith: ({ data }) => data.launch.tokenId,
  tell: ({ data: { launch, signature, startedAt } }) => ({
    tokenId: launch.tokenId,
    mintAddress: launch.mintAddress,
    poolAddress: launch.poolAddress,
    targetMarketCap: launch.targetMarketCap,
    signature,
    startedAt,
  }),
});
