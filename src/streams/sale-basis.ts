/** The basis by which a sale at a market's price was judged when it was recorded. */
import { type Static, Type } from '@sinclair/typebox';
import { Amount, BasisPoints, Count, orNull, Timestamp, U128 } from './values.ts';

export const SaleBasis = Type.Object({
  at: Timestamp,
  /** Base units that were to be sold: what the budget leaves out is kept for a later run. */
  wanted: Amount,
  /** Lamports that the pool would have paid then. */
  expected: Amount,
  /** Base units that arrive in the pool: the sale's own tax is not among them. */
  received: Amount,
  /**
   * State of the pool at that time. Prices are square roots of lamports per base unit, Q64.64, and so is the liquidity; the fee
   * is in billionths.
   */
  pool: Type.Object({ sqrtPrice: U128, liquidity: U128, tradingFee: Amount }),
  /** The median of the pool's final prices over the window; null where it was not needed. */
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
  /** Lamports: no sale for less. */
  floor: Amount,
  /** Millionths of the price: what the sale takes, what others of the window took, what all of them may take. */
  impact: Count,
  moved: Count,
  budget: Count,
});
export type SaleBasis = Static<typeof SaleBasis>;
