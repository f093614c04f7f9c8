/** The figures of a launch at one price of its pool. */
import { baseUnitsBetween, lamportsBetween, marketCap, priceText, progressBasisPoints } from './curve.ts';

/** What a launch began with. Prices are square roots of lamports per base unit, Q64.64. */
export interface LaunchBasis {
  /** Base units that there were of the token at the launch; what is burned later does not count. */
  readonly supply: bigint;
  readonly decimals: number;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  /** The liquidity of the launch alone: what others add to the pool is theirs. */
  readonly liquidity: bigint;
  /** Lamports. */
  readonly targetMarketCap: bigint;
}

/** Amounts are lamports and base units. */
export interface LaunchFigures {
  readonly marketCap: bigint;
  /** Hundredths of a percent of the target, at most 10,000. */
  readonly progressBasisPoints: number;
  readonly tokensForSale: bigint;
  readonly tokensSold: bigint;
  /** Without the fees of the trades, which are not the pool's. */
  readonly solCollected: bigint;
  /** Lamports for one whole token as decimal digits, cut off after 12 significant digits. */
  readonly price: string;
}

/** A price outside the bounds, which the venue does not allow, gives the figures of the nearer bound. */
export function launchFigures(basis: LaunchBasis, sqrtPrice: bigint): LaunchFigures {
  const { supply, decimals, sqrtMinPrice: lowest, sqrtMaxPrice: highest, liquidity } = basis;
  const price = sqrtPrice < lowest ? lowest : sqrtPrice > highest ? highest : sqrtPrice;
  const cap = marketCap(price, supply);
  const tokensForSale = baseUnitsBetween(liquidity, lowest, highest);
  return {
    marketCap: cap,
    progressBasisPoints: progressBasisPoints(cap, basis.targetMarketCap),
    tokensForSale,
    tokensSold: tokensForSale - baseUnitsBetween(liquidity, price, highest),
    solCollected: lamportsBetween(liquidity, lowest, price),
    price: priceText(price, decimals),
  };
}
