/** Purpose of drafts that launch a token. */
import { type Static, Type } from '@sinclair/typebox';
import { Address, Amount, Timestamp, U128 } from '../value-types.ts';
import { definePurpose, subjectOf } from './define-purpose.ts';

/** A pool on the launch venue, filled with tokens only: its price starts at the lower bound and rises as they are sold. */
export const Launch = subjectOf('launch', {
  poolAddress: Address,
  /** Mint of the position's NFT. Its key signs only this message, so the position proves the launch. */
  positionMint: Address,
  positionAddress: Address,
  /** Base units that leave the creator's account, including transfer tax. */
  tokenAmount: Amount,
  /** Lamports. */
  targetMarketCap: Amount,
  /** The target as a multiple of the market cap at the start. */
  startRatio: Type.Integer({ minimum: 2 }),
  /** Square roots of lamports per base unit, Q64.64; the lower one is the first price. */
  sqrtMinPrice: U128,
  sqrtMaxPrice: U128,
  /** Q64.64; permanently locked. */
  liquidity: U128,
  /** Supply of the mint at the time of issue. The market cap is computed from it, regardless of later burns. */
  supply: Amount,
  decimals: Type.Integer({ minimum: 0, maximum: 9 }),
  /** Expected start of the pool's sales. */
  expectedAt: Timestamp,
});

export type Launch = Static<typeof Launch>;

export const tokenLaunchPurpose = definePurpose({
  subject: Launch,
  recordedWhen: 'finalized',
  recordedBy: 'LaunchStarted',
});
