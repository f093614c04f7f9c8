/** Basis of a recorded sale at a market price. */
import { type Static, Type } from '@sinclair/typebox';
import { Amount, BasisPoints, Count, orNull, Timestamp, U128 } from './value-types.ts';

export const SaleBasis = Type.Object({
  at: Timestamp,
  /** Base units to be sold; the part beyond the budget is kept for a later run. */
  wanted: Amount,
  /** Expected proceeds in lamports, at the pool's price when the sale was decided. */
  expected: Amount,
  /** Base units that the pool receives, without the sale's own tax. */
  received: Amount,
  /**
   * State of the pool at that time. Prices are square roots of lamports per base unit; prices and liquidity are Q64.64; the fee
   * is in billionths.
   */
  pool: Type.Object({ sqrtPrice: U128, liquidity: U128, tradingFee: Amount }),
  /** Median of the pool's finalized prices over the window; null if not needed. */
  reference: orNull(
    Type.Object({
      sqrtPrice: U128,
      samples: Type.Integer({ minimum: 0, examples: [118] }),
      from: Timestamp,
      to: Timestamp,
    }),
  ),
  /** Maximum discount of a sale against the reference. */
  maxDiscountBasisPoints: BasisPoints,
  /** Minimum proceeds in lamports. */
  floor: Amount,
  /** Impacts in millionths of the price: this sale, earlier sales within the window, and the limit for all. */
  impact: Count,
  moved: Count,
  budget: Count,
});
export type SaleBasis = Static<typeof SaleBasis>;
