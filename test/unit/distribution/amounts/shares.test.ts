import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divide, weightOf } from '../../../../src/distribution/allotting/allot.ts';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';

const U64_MAX = 2n ** 64n - 1n;

/** Evenly over the orders of magnitude, and often next to a power of two. */
const amount = fc
  .tuple(
    fc.bigInt({ min: 0n, max: U64_MAX }),
    fc.integer({ min: 0, max: 63 }),
    fc.integer({ min: -2, max: 2 }),
  )
  .map(([value, shift, near]) =>
    value % 3n === 0n ? (1n << BigInt(shift)) + BigInt(near) : value >> BigInt(shift),
  )
  .map((value) => (value < 0n ? 0n : value > U64_MAX ? U64_MAX : value));

function columnOf(amounts: readonly bigint[]) {
  const column = createAmountColumn(amounts.length);
  amounts.forEach((value, index) => {
    column.set(index, value);
  });
  return column;
}

function sharesOf(total: bigint, weights: readonly bigint[], leastShare = 0n) {
  const shares = createAmountColumn(weights.length);
  const division = {
    amount: total,
    weights: columnOf(weights),
    sumOfWeights: weights.reduce((sum, weight) => sum + weight, 0n),
    leastShare,
    shares,
  };
  const middle = weights.length >> 1;
  const sum = divide(division, 0, middle) + divide(division, middle, weights.length);
  return { shares: weights.map((_, index) => shares.get(index)), sum };
}

describe('dividing an amount among weights', () => {
  test('gives each its exact share rounded down, whatever the sizes, and sums them up exactly', () => {
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 60 }), (total, weights) => {
        const sum = weights.reduce((all, weight) => all + weight, 0n);
        fc.pre(sum > 0n);
        const divided = sharesOf(total, weights);
        const expected = weights.map((weight) => (total * weight) / sum);
        expect(divided.shares).toEqual(expected);
        expect(divided.sum).toBe(expected.reduce((all, share) => all + share, 0n));
        expect(divided.sum).toBeLessThanOrEqual(total);
      }),
      { numRuns: 3_000 },
    );
  });

  test('is exact where a share is a whole number, and next to one', () => {
    for (const share of [1n, 2n ** 31n, 2n ** 32n, 2n ** 52n, 2n ** 53n - 1n]) {
      for (const extra of [-1n, 0n, 1n]) {
        const total = share * 7n + extra;
        expect(sharesOf(total, [1n, 6n]).shares).toEqual([total / 7n, (total * 6n) / 7n]);
      }
    }
  });

  test('gives nothing instead of less than the least share', () => {
    fc.assert(
      fc.property(
        amount,
        fc.array(amount, { minLength: 1, maxLength: 20 }),
        amount,
        (total, weights, least) => {
          const sum = weights.reduce((all, weight) => all + weight, 0n);
          fc.pre(sum > 0n);
          const expected = weights
            .map((weight) => (total * weight) / sum)
            .map((share) => (share < least ? 0n : share));
          expect(sharesOf(total, weights, least).shares).toEqual(expected);
        },
      ),
    );
  });

  test('refuses weights that weigh nothing', () => {
    expect(() => sharesOf(1n, [0n, 0n])).toThrow(RangeError);
  });
});

describe('weighing balances', () => {
  test('takes the balance itself where rewards are proportional', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 30 }), (balances) => {
        expect(balances.map((balance) => weightOf('proportional', balance))).toEqual(balances);
      }),
    );
  });

  test('takes the largest whole number whose square is not above the balance where they go by the square root', () => {
    const nearSquares = fc
      .tuple(fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), fc.bigInt({ min: -1n, max: 1n }))
      .map(([root, near]) => root * root + near)
      .filter((value) => value >= 0n);
    fc.assert(
      fc.property(fc.array(fc.oneof(amount, nearSquares), { maxLength: 30 }), (balances) => {
        balances.forEach((balance) => {
          const root = weightOf('square-root', balance);
          expect(root * root).toBeLessThanOrEqual(balance);
          expect((root + 1n) * (root + 1n)).toBeGreaterThan(balance);
        });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a column of amounts', () => {
  test('refuses what is no amount of 64 bits, and places outside', () => {
    const column = createAmountColumn(2);
    expect(() => column.set(0, -1n)).toThrow('no amount of 64 bits');
    expect(() => column.set(0, U64_MAX + 1n)).toThrow('no amount of 64 bits');
    expect(() => column.get(2)).toThrow('no amount 2 among 2');
    expect(() => column.set(-1, 1n)).toThrow('no amount -1 among 2');
  });
});
