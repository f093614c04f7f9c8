/**
 * Bounds the price impact of the engine's sales within a window, so that waiting for them is not profitable. If a trader moves
 * the price by x before the engine moves it by i, and then trades back, the trader gains i*x/2 and pays f*x, where f is the
 * pool's fee plus the token's tax. So the trade is profitable only if i exceeds 2f. The budget is f. Pure.
 */
import { feeOfTransfer, type TransferFee } from 'levy-solana-wire';
import { dividedUp } from '../../chain/integer-math.ts';
import { maxSaleable, type SalePool } from '../../chain/venue/sale.ts';
import type { DistributionState } from '../../streams/distribution.ts';

/** Milliseconds after which a sale no longer counts against the budget. */
const IMPACT_WINDOW = 30 * 60_000;
/** Milliseconds after its recording in which a sale may land; added to the window. */
const SALE_LANDS_WITHIN = 3 * 60_000;

/** Unit of impacts: millionths of the price. */
export const MILLION = 1_000_000n;
const BASIS_POINT = 100n;
/** Billionths per millionth. */
const BILLIONTHS = 1_000n;
/** Uses the tax that a trader who halves the price would pay, because a fee with a maximum has a lower rate for large trades. */
const HALF = 5_000;

/** `number`: number of the link. At most one of the sales with the same number lands. */
type RecordedImpact = Omit<DistributionState['impacts'][number], 'till'>;

/** Maximum price impact of all sales within a window, in millionths. */
export function impactBudget(pool: SalePool, tax: TransferFee, maxImpactBasisPoints: number): bigint {
  const traded = maxSaleable(pool, HALF);
  const taxed = traded === 0n ? 0n : (feeOfTransfer(tax, traded) * MILLION) / traded;
  const oneWay = pool.tradingFee / BILLIONTHS + taxed;
  const cap = BigInt(maxImpactBasisPoints) * BASIS_POINT;
  return oneWay < cap ? oneWay : cap;
}

/**
 * Price impact, in millionths, of the sales that landed or may land within the window before `now` (milliseconds). Sales of the
 * link `without`, which is being decided, do not count: at most one of them lands.
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
