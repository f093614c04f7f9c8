/**
 * Sale of tokens into a pool of the venue for SOL: its proceeds, to the lamport, and its price impact. Supports only pools with a
 * fixed fee in SOL, as the service's launches create them.
 */

import { U64_MAX } from 'levy-solana-wire';
import { dividedUp, squareRootUp } from '../integer-math.ts';
import type { PoolAccount } from './venue-accounts.ts';

/** Inputs of a sale. */
export type SalePool = Pick<PoolAccount, 'tradingFee' | 'liquidity' | 'sqrtMinPrice' | 'sqrtPrice'>;

const BILLION = 1_000_000_000n;
const BASIS_POINTS = 10_000n;

/**
 * Lamports from a sale of the base units, and the resulting price. `received` is the amount that arrives in the pool, without
 * the token's own tax. Undefined if the pool has too little SOL.
 */
export function quoteSale(
  { tradingFee, liquidity, sqrtMinPrice, sqrtPrice }: SalePool,
  received: bigint,
): { readonly lamports: bigint; readonly sqrtPrice: bigint } | undefined {
  if (received <= 0n || liquidity <= 0n) return undefined;
  const after = dividedUp(liquidity * sqrtPrice, liquidity + received * sqrtPrice);
  if (after < sqrtMinPrice) return undefined;
  const paid = (liquidity * (sqrtPrice - after)) >> 128n;
  if (paid > U64_MAX) return undefined;
  return { lamports: paid - dividedUp(paid * tradingFee, BILLION), sqrtPrice: after };
}

/**
 * Maximum number of base units that the pool can receive while its price falls by at most the given parts of `whole` (basis
 * points by default) and stays within the pool's range.
 */
export function maxSaleable(
  { liquidity, sqrtMinPrice, sqrtPrice }: SalePool,
  maximumImpact: number,
  whole = BASIS_POINTS,
): bigint {
  const kept = whole - BigInt(maximumImpact);
  const capped = squareRootUp(dividedUp(sqrtPrice * sqrtPrice * kept, whole));
  const lowest = capped > sqrtMinPrice ? capped : sqrtMinPrice;
  if (lowest >= sqrtPrice || lowest === 0n) return 0n;
  return (liquidity * (sqrtPrice - lowest)) / (sqrtPrice * lowest);
}
