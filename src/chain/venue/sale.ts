/**
 * Selling tokens into a pool of the venue for SOL: what it pays, to the lamport, and how much moves its price by how
 * much. Only for pools whose fee is fixed and taken in SOL, as our launches make them; of others nothing is computed.
 */

import { U64_MAX } from 'levy-solana-wire';
import { dividedUp, squareRootUp } from '../whole-numbers.ts';
import { u128At } from './venue-accounts.ts';

/** What a sale depends on. Prices are square roots of lamports per base unit, Q64.64, as is the liquidity. */
export interface SalePool {
  /** Billionths of the SOL that a sale brings. */
  readonly tradingFee: bigint;
  readonly liquidity: bigint;
  readonly sqrtMinPrice: bigint;
  readonly sqrtPrice: bigint;
}

const BILLION = 1_000_000_000n;
const BASIS_POINTS = 10_000n;

const FEE_AT = 8;
const FEE_MODE_AT = 16;
const FEE_PERIODS_AT = 22;
const DYNAMIC_FEE_AT = 56;
const LIQUIDITY_AT = 360;
const SQRT_MIN_PRICE_AT = 424;
const SQRT_PRICE_AT = 456;
const STATUS_AT = 481;
const FEE_COLLECTION_AT = 484;

const FIXED_FEE = 0;
const NO_DYNAMIC_FEE = 0;
const OPEN = 0;
const FEES_IN_SOL = 1;

/** Whether the venue has stopped all trading in the pool (see `decodePool` for whether it is one). */
export function isPaused(data: Uint8Array): boolean {
  return data[STATUS_AT] !== OPEN;
}

/**
 * The figures of a pool's account (see `decodePool` for whether it is one). Undefined where the arithmetic here does not
 * hold: the fee changes with time or traffic, is taken in tokens, or the venue has paused the pool.
 */
export function decodeSalePool(data: Uint8Array): SalePool | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const isPlain =
    bytes[FEE_MODE_AT] === FIXED_FEE &&
    bytes.readUInt16LE(FEE_PERIODS_AT) === 0 &&
    bytes[DYNAMIC_FEE_AT] === NO_DYNAMIC_FEE &&
    !isPaused(bytes) &&
    bytes[FEE_COLLECTION_AT] === FEES_IN_SOL;
  if (!isPlain) return undefined;
  return {
    tradingFee: bytes.readBigUInt64LE(FEE_AT),
    liquidity: u128At(bytes, LIQUIDITY_AT),
    sqrtMinPrice: u128At(bytes, SQRT_MIN_PRICE_AT),
    sqrtPrice: u128At(bytes, SQRT_PRICE_AT),
  };
}

/**
 * The lamports that a sale of so many base units brings, and the price that it leaves. `received` is what arrives in the
 * pool: the token's own tax is not among it. Undefined where the pool has not enough SOL.
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
 * The most base units that the pool can receive while its price falls by at most so many parts of `whole` (basis points
 * where none is given), and stays within the pool's range.
 */
export function mostSaleable(
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
