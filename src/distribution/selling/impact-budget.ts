/**
 * Bounds the price impact of the engine's sales within a window, so that nobody earns by waiting for them. A trader who moves
 * the price by x, lets the engine move it by i, and trades back, gains i/2 and pays the pool's fee and the token's tax on both
 * ways: the trade is profitable if i exceeds twice the one-way cost. The budget is half of that. Pure.
 */
import { feeOfTransfer, type TransferFee } from 'levy-solana-wire';
import { mostSaleable, type SalePool } from '../../chain/venue/sale.ts';
import { dividedUp } from '../../chain/whole-numbers.ts';
import type { DistributionState } from '../../streams/distribution.ts';

/** Milliseconds. */
export const IMPACT_WINDOW = 30 * 60_000;
/** Milliseconds after its record in which a sale may land: it counts for so much longer. */
export const SALE_LANDS_WITHIN = 3 * 60_000;

/** Impacts are millionths of the price. */
export const MILLION = 1_000_000n;
const BASIS_POINT = 100n;
/** A billionth is a thousandth of a millionth. */
const BILLIONTHS = 1_000n;
/** The tax is taken as that of a trader who halves the price: a rate with a maximum is less for him. */
const HALF = 5_000;

/** `number` is that of the link: at most one of the sales with one number lands. */
export type RecordedImpact = Omit<DistributionState['impacts'][number], 'till'>;

/** Millionths of the price that all sales of a window may take together. */
export function impactBudget(pool: SalePool, tax: TransferFee, maxImpactBasisPoints: number): bigint {
  const traded = mostSaleable(pool, HALF);
  const taxed = traded === 0n ? 0n : (feeOfTransfer(tax, traded) * MILLION) / traded;
  const oneWay = pool.tradingFee / BILLIONTHS + taxed;
  const cap = BigInt(maxImpactBasisPoints) * BASIS_POINT;
  return oneWay < cap ? oneWay : cap;
}

/**
 * Millionths by which sales have moved the price within the window before `now` (milliseconds), or still may. Those of the
 * link that is being decided do not count: at most one of them lands.
 */
export function movedWithin(impacts: readonly RecordedImpact[], now: number, without?: number): bigint {
  const counted = new Map<number, number>();
  for (const { number, at, impact } of impacts) {
    if (number === without || now - Date.parse(at) >= IMPACT_WINDOW + SALE_LANDS_WITHIN) continue;
    counted.set(number, Math.max(impact, counted.get(number) ?? 0));
  }
  return [...counted.values()].reduce((sum, impact) => sum + BigInt(impact), 0n);
}

/** Price fall in millionths for the given base units received; rounded up. */
export function impactOf({ liquidity, sqrtPrice }: SalePool, received: bigint): bigint {
  const after = (liquidity * sqrtPrice) / (liquidity + received * sqrtPrice);
  const before = sqrtPrice * sqrtPrice;
  return dividedUp((before - after * after) * MILLION, before);
}
