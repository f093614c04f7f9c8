// How far sales may move the price together, and how much they have moved it.
import { describe, expect, test } from 'vitest';
import { maxSaleable, quoteSale } from '../../../../src/chain/venue/sale.ts';
import { impactBudget, impactOf, movedWithin } from '../../../../src/distribution/selling/impact-budget.ts';

const U64_MAX = 2n ** 64n - 1n;
const NOW = Date.parse('2026-05-04T11:00:00.000Z');
/** A pool of about 100 SOL, whose price may fall to a tenth. */
const pool = {
  tradingFee: 10_000_000n,
  liquidity: 1_000_000_000n << 96n,
  sqrtMinPrice: 1n << 58n,
  sqrtPrice: 1n << 60n,
};
const tax = (basisPoints: number, maximumFee = U64_MAX) => ({ epoch: 0n, basisPoints, maximumFee });

describe('the budget', () => {
  test.each([
    ['fee and tax of one way', 100, 20_000n],
    ['the fee alone without a tax', 0, 10_000n],
    ['the cap where fee and tax are more', 9_000, 50_000n],
  ])('is %s', (_name, basisPoints, expected) => {
    expect(impactBudget(pool, tax(basisPoints), 500)).toBe(expected);
  });

  test('does not count on a tax that a large trade does not pay', () => {
    expect(impactBudget(pool, tax(400, 1n), 500)).toBe(10_000n);
    const half = maxSaleable(pool, 5_000);
    expect(impactBudget(pool, tax(400, half / 50n), 500)).toBe(10_000n + 19_999n);
  });
});

test('an impact is by how many millionths the price falls, never too few', () => {
  for (const millionths of [1, 37, 4_000, 50_000, 400_000]) {
    const most = maxSaleable(pool, millionths, 1_000_000n);
    expect(impactOf(pool, most)).toBeLessThanOrEqual(BigInt(millionths) + 1n);
    const after = quoteSale(pool, most)?.sqrtPrice ?? 0n;
    const fallen = ((pool.sqrtPrice ** 2n - after ** 2n) * 1_000_000n) / pool.sqrtPrice ** 2n;
    expect(impactOf(pool, most)).toBeGreaterThanOrEqual(fallen);
  }
  expect(impactOf(pool, 0n)).toBe(0n);
});

describe('what sales have moved', () => {
  const ago = (milliseconds: number) => new Date(NOW - milliseconds).toISOString();

  test('counts those of several runs together while they are in the window, or may still land in it', () => {
    const impacts = [
      { number: 3, at: ago(33 * 60_000), impact: 1_000 },
      { number: 5, at: ago(33 * 60_000 - 1), impact: 200 },
      { number: 9, at: ago(60_000), impact: 30 },
    ];
    expect(movedWithin(impacts, NOW)).toBe(230n);
  });

  test('counts of several sales for one till the largest: at most one lands', () => {
    const impacts = [
      { number: 5, at: ago(3_000), impact: 200 },
      { number: 5, at: ago(2_000), impact: 300 },
      { number: 5, at: ago(1_000), impact: 250 },
    ];
    expect(movedWithin(impacts, NOW)).toBe(300n);
    expect(movedWithin(impacts, NOW, 5)).toBe(0n);
  });
});
