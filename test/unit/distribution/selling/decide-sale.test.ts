// How much is sold now, and for how much at least.
import fc from 'fast-check';
import { feeOfTransfer } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { quoteSale } from '../../../../src/chain/venue/sale.ts';
import {
  decideSale,
  exceedsTaxLimit,
  type SaleLimits,
} from '../../../../src/distribution/selling/decide-sale.ts';
import type { SaleBounds } from '../../../../src/distribution/selling/sale-venue.ts';

const U64_MAX = 2n ** 64n - 1n;
const PRICE = 1n << 60n;
const pool = (sqrtPrice = PRICE) => ({
  tradingFee: 10_000_000n,
  liquidity: 1_000_000_000n << 96n,
  sqrtMinPrice: 1n << 57n,
  sqrtPrice,
});
const limits: SaleLimits = {
  maxImpactBasisPoints: 500,
  slippageBasisPoints: 100,
  maxDiscountBasisPoints: 500,
};
const taxOf = (basisPoints: number) => ({ epoch: 0n, basisPoints, maximumFee: U64_MAX });
const referenceOf = (sqrtPrice: bigint) => ({ sqrtPrice, samples: 120, from: 0, to: 1 });
const bounds = (change: Partial<SaleBounds> = {}): SaleBounds => ({
  moved: 0n,
  reference: referenceOf(PRICE),
  ...change,
});
const decided = (
  sqrtPrice: bigint,
  change: Partial<SaleBounds> = {},
  wanted = 10_000_000_000n,
  basisPoints = 100,
) => decideSale(pool(sqrtPrice), { tax: taxOf(basisPoints), wanted, bounds: bounds(change) }, limits);
/** The root of a price that is lower by so many per mille. */
const lower = (perMille: bigint) => (PRICE * (2_000n - perMille)) / 2_000n;

describe('a sale', () => {
  test('at the reference price has the least under its quote', () => {
    const sale = decided(PRICE);
    if ('reason' in sale) throw new Error(sale.reason);
    expect(sale.minimum).toBe((sale.expected * 99n) / 100n);
    expect(sale.floor).toBe((sale.expected * 95n + 99n) / 100n);
  });

  test('somewhat under the reference has the floor as its least', () => {
    const sale = decided(lower(45n));
    if ('reason' in sale) throw new Error(sale.reason);
    expect(sale.minimum).toBe(sale.floor);
    expect(sale.expected).toBeGreaterThanOrEqual(sale.floor);
  });

  test('is not made without a reference', () => {
    expect(decided(PRICE, { reference: 'unknown' })).toEqual({
      reason: 'price-unknown',
    });
  });

  test('takes what others of the window have left of the budget, and nothing when it is spent', () => {
    const all = U64_MAX / 2n;
    const whole = decided(PRICE, {}, all);
    const rest = decided(PRICE, { moved: 15_000n }, all);
    if ('reason' in whole || 'reason' in rest) throw new Error('refused');
    expect(whole.budget).toBe(20_000n);
    expect(whole.impact).toBeLessThanOrEqual(20_001n);
    expect(rest.impact).toBeLessThanOrEqual(5_001n);
    for (const moved of [20_000n, 90_000n])
      expect(decided(PRICE, { moved }, all)).toEqual({ reason: 'impact-budget-spent' });
  });

  test('is not made where nothing may move the price at all', () => {
    const free = { ...pool(), tradingFee: 0n };
    expect(decideSale(free, { tax: taxOf(0), wanted: 10_000n, bounds: bounds() }, limits)).toEqual({
      reason: 'price-impact',
    });
  });

  test('of a few base units is not refused for a tax that is rounded up', () => {
    // Of 5 units the tax takes 2, one of them by rounding; of 4 as well.
    expect([exceedsTaxLimit(taxOf(3_000), 5n), exceedsTaxLimit(taxOf(3_000), 4n)]).toEqual([false, true]);
  });

  test('whose own tax takes more than a fifth is not made', () => {
    expect(decided(PRICE, {}, 10_000_000_000n, 2_000)).toHaveProperty('amount');
    for (const basisPoints of [2_001, 9_999, 10_000])
      expect(decided(PRICE, {}, 10_000_000_000n, basisPoints)).toEqual({
        reason: 'own-tax',
      });
  });

  test('counts what leaves the wallet, not what its tax leaves of it', () => {
    const untaxed = decided(PRICE, { moved: 5_000n }, U64_MAX / 2n, 0);
    const taxed = decided(PRICE, { moved: 15_000n }, U64_MAX / 2n, 100);
    // The same 0.5 % is left of both budgets.
    if ('reason' in untaxed || 'reason' in taxed) throw new Error('refused');
    expect(taxed.amount).toBe(untaxed.amount);
    expect(taxed.received).toBe(taxed.amount - feeOfTransfer(taxOf(100), taxed.amount));
  });

  test('never brings less than its floor, nor moves the price further than the budget, whatever is asked', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: PRICE / 4n, max: PRICE * 4n }),
        fc.bigInt({ min: PRICE / 4n, max: PRICE * 4n }),
        fc.bigInt({ min: 1n, max: U64_MAX }),
        fc.integer({ min: 0, max: 2_500 }),
        fc.bigInt({ min: 0n, max: 60_000n }),
        (sqrtPrice, reference, wanted, basisPoints, moved) => {
          const sale = decided(sqrtPrice, { moved, reference: referenceOf(reference) }, wanted, basisPoints);
          if ('reason' in sale) return;
          const fair = quoteSale(pool(reference), sale.received)?.lamports ?? 0n;
          expect(sale.minimum * 100n).toBeGreaterThanOrEqual(fair * 95n);
          expect(sale.expected).toBeGreaterThanOrEqual(sale.minimum);
          expect(sale.amount).toBeLessThanOrEqual(wanted);
          expect(sale.impact + moved).toBeLessThanOrEqual(sale.budget + 1n);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
