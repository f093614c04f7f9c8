/** Decides how much of a token is sold into its pool now, and for how much at least: within the budget, never under the floor. Pure. */
import { feeOfTransfer, type TransferFee } from 'levy-solana-wire';
import { mostSaleable, quoteSale, type SalePool } from '../../chain/venue/sale.ts';
import { dividedUp } from '../../chain/whole-numbers.ts';
import type { QuoteRefusal } from '../../streams/unsold-reasons.ts';
import { impactBudget, impactOf, MILLION } from './impact-budget.ts';
import type { PriceReference } from './price-reference.ts';
import type { SaleBounds } from './sale-venue.ts';
import { arriving } from './taxed-amounts.ts';

const BASIS_POINTS = 10_000n;
/**
 * The most of a sale that its own tax may take. What it takes is collected again by the next run, and its fees are paid
 * again: from a fifth on a run would sell mostly what came back.
 */
const OWN_TAX_MAX_BASIS_POINTS = 2_000;

export interface SaleLimits {
  /** How far the sales of a window may move the price at most, whatever its fees. */
  readonly maxImpactBasisPoints: number;
  /** How much less than quoted a sale may bring. */
  readonly slippageBasisPoints: number;
  /** How much less than at the reference price a sale may bring. */
  readonly maxDiscountBasisPoints: number;
}

export type SaleDecision =
  | {
      readonly outcome: 'sell';
      readonly amount: bigint;
      /** What arrives of the amount after its tax. */
      readonly received: bigint;
      /** Lamports at the price of the moment. */
      readonly expected: bigint;
      readonly minimum: bigint;
      /** Lamports; 0 for an estimate. */
      readonly floor: bigint;
      /** Millionths of the price. */
      readonly impact: bigint;
      readonly budget: bigint;
    }
  | { readonly outcome: 'refused'; readonly reason: QuoteRefusal };

export function decideSale(
  pool: SalePool,
  {
    tax,
    wanted,
    bounds,
  }: { readonly tax: TransferFee; readonly wanted: bigint; readonly bounds: SaleBounds },
  limits: SaleLimits,
): SaleDecision {
  if (pool.sqrtPrice <= pool.sqrtMinPrice) return refused('pool-empty');
  const budget = impactBudget(pool, tax, limits.maxImpactBasisPoints);
  // What leaves the wallet counts, not what the tax leaves of it: the rest comes back as tax, and is sold as well.
  // Nothing is saleable once the budget is spent, or exceeded.
  const most = mostSaleable(pool, Number(budget - bounds.moved), MILLION);
  if (most === 0n) return refused(bounds.moved > 0n ? 'impact-budget-spent' : 'price-impact');
  const amount = wanted < most ? wanted : most;
  const received = arriving(tax, amount);
  const brought = quoteSale(pool, received);
  if (eatsTooMuch(tax, amount)) return refused('own-tax');
  if (brought === undefined) return refused('too-little');
  const expected = brought.lamports;
  if (bounds.reference === 'unknown') return refused('price-unknown');
  const floor = floorOf(pool, received, bounds.reference, limits.maxDiscountBasisPoints);
  if (expected < floor) return refused('price-below-reference');
  const slipped = (expected * (BASIS_POINTS - BigInt(limits.slippageBasisPoints))) / BASIS_POINTS;
  const minimum = slipped > floor ? slipped : floor;
  // Nothing would bind a sale for nothing.
  if (minimum === 0n) return refused('too-little');
  return {
    outcome: 'sell',
    amount,
    received,
    expected,
    minimum,
    floor,
    impact: impactOf(pool, amount),
    budget,
  };
}

/** The least lamports that so many arriving base units are sold for, by the pool's own arithmetic at the reference price. */
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

/** Whether a sale's own tax takes more of it than is sold for. */
export function eatsTooMuch(tax: TransferFee, amount: bigint): boolean {
  // A tax is rounded up: of a few base units it always takes much.
  return (feeOfTransfer(tax, amount) - 1n) * BASIS_POINTS > amount * BigInt(OWN_TAX_MAX_BASIS_POINTS);
}

function refused(reason: QuoteRefusal): SaleDecision {
  return { outcome: 'refused', reason };
}
