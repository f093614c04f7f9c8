/**
 * Figures of a launch's own position at one price of its pool, rounded as the venue rounds a purchase from the start to that
 * price. Each further trade may add a difference of one unit.
 */
import {
  baseUnitsBetween,
  baseUnitsSoldBetween,
  lamportsPaidBetween,
  marketCap,
  priceText,
  progressBasisPoints,
} from './curve.ts';

/** Terms of a launch at its start. Prices are square roots of lamports per base unit, Q64.64. */
export interface LaunchBasis {
  /** Supply of the token at the launch, in base units; later burns do not count. */
  readonly supply: bigint;
  readonly decimals: number;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  /** Liquidity of the launch, without liquidity that other users added. */
  readonly liquidity: bigint;
  /** Lamports. */
  readonly targetMarketCap: bigint;
}

/** Amounts are lamports and base units. */
export interface LaunchFigures {
  readonly marketCap: bigint;
  /** Basis points of the way from the market cap at the start to the target, at most 10,000. */
  readonly progressBasisPoints: number;
  readonly tokensForSale: bigint;
  readonly tokensSold: bigint;
  /** Without trading fees, which do not belong to the pool. */
  readonly solCollected: bigint;
  /** Lamports per whole token in decimal digits, truncated after 12 significant digits. */
  readonly price: string;
}

/** A price outside the launch's range yields the figures of the nearer bound. */
export function launchFigures(basis: LaunchBasis, sqrtPrice: bigint): LaunchFigures {
  const { supply, decimals, sqrtMinPrice: lowest, sqrtMaxPrice: highest, liquidity } = basis;
  const price = sqrtPrice < lowest ? lowest : sqrtPrice > highest ? highest : sqrtPrice;
  const cap = marketCap(price, supply);
  const tokensForSale = baseUnitsBetween(liquidity, lowest, highest);
  return {
    marketCap: cap,
    progressBasisPoints: progressBasisPoints(cap, basis.targetMarketCap, marketCap(lowest, supply)),
    tokensForSale,
    tokensSold: baseUnitsSoldBetween(liquidity, lowest, price),
    solCollected: lamportsPaidBetween(liquidity, lowest, price),
    price: priceText(price, decimals),
  };
}
