// What is offered for priority, and how much room a transaction gets.
import { describe, expect, test } from 'vitest';
import { computeUnitLimit, computeUnitPrice } from '../../../src/chain/price-policy.ts';

describe('the price', () => {
  test('is nothing where nobody paid anything', () => {
    expect(computeUnitPrice([], 1_000n)).toBe(0n);
    expect(computeUnitPrice([0n, 0n, 0n], 1_000n)).toBe(0n);
  });

  test('is what was paid in the middle, whatever the extremes and the order', () => {
    expect(computeUnitPrice([7n], 1_000n)).toBe(7n);
    expect(computeUnitPrice([1_000_000n, 0n, 5n], 1_000n)).toBe(5n);
    expect(computeUnitPrice([9n, 1n, 4n, 3n, 1_000_000n], 1_000n)).toBe(4n);
    expect(computeUnitPrice([10n, 9n, 100n], 1_000n)).toBe(10n);
  });

  test('is the upper of two in the middle', () => {
    expect(computeUnitPrice([4n, 8n], 1_000n)).toBe(8n);
  });

  test('is never more than the operator allows', () => {
    expect(computeUnitPrice([500n, 2_000n, 3_000n], 1_000n)).toBe(1_000n);
    expect(computeUnitPrice([1_000n], 1_000n)).toBe(1_000n);
    expect(computeUnitPrice([5n], 0n)).toBe(0n);
  });
});

test('a limit is a quarter and 5,000 units more than was simulated, and whole', () => {
  expect(computeUnitLimit(0)).toBe(5_000);
  expect(computeUnitLimit(30_000)).toBe(42_500);
  expect(computeUnitLimit(30_001)).toBe(42_502);
});
