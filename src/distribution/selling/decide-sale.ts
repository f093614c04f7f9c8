/**
 * Decides the amount to sell into a token's pool now and its minimum proceeds: within the budget, never below the floor. Pure.
 */
import { feeOfTransfer, type TransferFee } from 'levy-solana-wire';
import { dividedUp } from '../../chain/integer-math.ts';
import { maxSaleable, quoteSale, type SalePool } from '../../chain/venue/sale.ts';
import { impactBudget, impactOf, MILLION } from './impact-budget.ts';
import type { PriceReference } from './price-reference.ts';
import { refused, type SaleBounds } from './sale-venue.ts';

const BASIS_POINTS = 10_000n;
/**
 * Maximum part of a sale that its own tax may take. The next run collects this tax and pays its fees again: above a fifth, a run
 * would mostly sell returned tax.
 */
const OWN_TAX_MAX_BASIS_POINTS = 2_000;

export interface SaleLimits {
  /** Maximum price impact of the sales within a window, regardless of its fees. */
  readonly maxImpactBasisPoints: number;
  /** Maximum shortfall of a sale against its quote. */
  readonly slippageBasisPoints: number;
  /** Maximum shortfall of a sale against the reference price. */
  readonly maxDiscountBasisPoints: number;
}

export function decideSale(
  pool: SalePool,
  {
    tax,
    wanted,
    bounds,
  }: { readonly tax: TransferFee; readonly wanted: bigint; readonly bounds: SaleBounds },
  limits: SaleLimits,
) {
  if (pool.sqrtPrice <= pool.sqrtMinPrice) return refused('pool-empty');
  const budget = impactBudget(pool, tax, limits.maxImpactBasisPoints);
  // Compares the amount before tax, because the tax returns and is sold as well. The result is 0 once the budget is
  // spent.
  const most = maxSaleable(pool, Number(budget - bounds.moved), MILLION);
  if (most === 0n) return refused(bounds.moved > 0n ? 'impact-budget-spent' : 'price-impact');
  const amount = wanted < most ? wanted : most;
  const received = arriving(tax, amount);
  const brought = quoteSale(pool, received);
  if (exceedsTaxLimit(tax, amount)) return refused('own-tax');
  if (brought === undefined) return refused('too-little');
  const expected = brought.lamports;
  if (bounds.reference === 'unknown') return refused('price-unknown');
  const floor = floorOf(pool, received, bounds.reference, limits.maxDiscountBasisPoints);
  if (expected < floor) return refused('price-below-reference');
  const slipped = (expected * (BASIS_POINTS - BigInt(limits.slippageBasisPoints))) / BASIS_POINTS;
  const minimum = slipped > floor ? slipped : floor;
  // A minimum of 0 would not protect the sale.
  if (minimum === 0n) return refused('too-little');
  // `impact` and `budget` are millionths of the price.
  const impact = impactOf(pool, amount);
  return { amount, received, expected, minimum, floor, impact, budget };
}

/** Minimum lamports for the received base units, by the pool's own arithmetic at the reference price. */
function floorOf(
  pool: SalePool,
  received: bigint,
  reference: PriceReference | 'unneeded',
  maxDiscountBasisPoints: number,
): bigint {
  if (reference === 'unneeded') return 0n;
  const fair =
    quoteSale({ ...pool, sqrtMinPrice: 0n, sqrtPrice: reference.sqrtPrice }, received)?.lamports ?? 0n;
  return dividedUp(fair * (BASIS_POINTS - BigInt(maxDiscountBasisPoints)), BASIS_POINTS);
}

/** True if the sale's own tax exceeds its maximum part of the sale. */
export function exceedsTaxLimit(tax: TransferFee, amount: bigint): boolean {
  // Ignores the rounding up of the tax, which would dominate for a few base units.
  return (feeOfTransfer(tax, amount) - 1n) * BASIS_POINTS > amount * BigInt(OWN_TAX_MAX_BASIS_POINTS);
}

/** Received amount of a taxed transfer, in base units. */
export function arriving(tax: TransferFee, sent: bigint): bigint {
  return sent - feeOfTransfer(tax, sent);
}
