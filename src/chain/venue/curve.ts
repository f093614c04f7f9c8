/**
 * Arithmetic of a pool between two prices, exact in bigint. Prices are square roots of lamports per base unit in Q64.64,
 * liquidity is Q64.64 too, amounts are lamports and base units. As in the program, amounts that the pool receives are rounded up,
 * and amounts that it pays are rounded down.
 */

import { dividedUp, squareRootUp } from '../integer-math.ts';

/** Bounds of every price in the program. */
export const MIN_SQRT_PRICE = 4_295_048_016n;
export const MAX_SQRT_PRICE = 79_226_673_521_066_979_257_578_248_091n;

/** Significant digits of a price; further digits are truncated. */
const PRICE_DIGITS = 12;

/** Value of the whole supply at a price, in lamports. */
export function marketCap(sqrtPrice: bigint, supply: bigint): bigint {
  return (sqrtPrice * sqrtPrice * supply) >> 128n;
}

/** Lowest price at which the supply is worth at least this many lamports. */
export function sqrtPriceOfMarketCap(lamports: bigint, supply: bigint): bigint {
  return squareRootUp(dividedUp(lamports << 128n, supply));
}

/** Liquidity that this many base units provide between two prices before anything is sold. */
export function liquidityOf(baseUnits: bigint, sqrtMinPrice: bigint, sqrtMaxPrice: bigint): bigint {
  return (baseUnits * sqrtMinPrice * sqrtMaxPrice) / (sqrtMaxPrice - sqrtMinPrice);
}

/** Base units that a pool has for sale between two prices. */
export function baseUnitsBetween(liquidity: bigint, lower: bigint, upper: bigint): bigint {
  return dividedUp(liquidity * (upper - lower), lower * upper);
}

/** Base units that a pool pays while its price rises from `lower` to `upper`. */
export function baseUnitsSoldBetween(liquidity: bigint, lower: bigint, upper: bigint): bigint {
  return (liquidity * (upper - lower)) / (lower * upper);
}

/** Lamports that a pool pays while its price falls from `upper` to `lower`, without the venue's fees. */
export function lamportsBetween(liquidity: bigint, lower: bigint, upper: bigint): bigint {
  return (liquidity * (upper - lower)) >> 128n;
}

/** Lamports that a pool receives while its price rises from `lower` to `upper`, without the venue's fees. */
export function lamportsPaidBetween(liquidity: bigint, lower: bigint, upper: bigint): bigint {
  return dividedUp(liquidity * (upper - lower), 1n << 128n);
}

/** Progress from the market cap at the start to the target, in basis points rounded down; at most 10,000. */
export function progressBasisPoints(
  marketCapNow: bigint,
  targetMarketCap: bigint,
  marketCapAtStart = 0n,
): number {
  if (marketCapNow >= targetMarketCap) return 10_000;
  if (marketCapNow <= marketCapAtStart) return 0;
  return Number(((marketCapNow - marketCapAtStart) * 10_000n) / (targetMarketCap - marketCapAtStart));
}

/** Lamports per whole token in decimal digits, without an exponent, truncated after 12 significant digits. */
export function priceText(sqrtPrice: bigint, decimals: number): string {
  const numerator = sqrtPrice * sqrtPrice * 10n ** BigInt(decimals);
  const whole = numerator >> 128n;
  if (String(whole).length >= PRICE_DIGITS) return String(whole);
  // 128 digits after the point represent every such fraction exactly.
  const fraction = ((numerator - (whole << 128n)) * 10n ** 128n) >> 128n;
  const digits = String(fraction).padStart(128, '0');
  const leadingZeros = whole > 0n ? 0 : digits.search(/[1-9]|$/);
  const shown = whole > 0n ? PRICE_DIGITS - String(whole).length : leadingZeros + PRICE_DIGITS;
  const told = digits.slice(0, shown).replace(/0+$/, '');
  return told === '' ? String(whole) : `${whole}.${told}`;
}
