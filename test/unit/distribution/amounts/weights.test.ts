import { expect, test } from 'vitest';
import { weightOf } from '../../../../src/distribution/allotting/allot.ts';

const BALANCES = [0n, 1n, 15n, 16n, 2n ** 32n, 2n ** 52n - 1n, 2n ** 52n, 2n ** 64n - 1n];
const ROOTS = [0n, 1n, 3n, 4n, 2n ** 16n, 2n ** 26n - 1n, 2n ** 26n, 2n ** 32n - 1n];

test('a balance weighs itself, or its square root rounded down, on both sides of what a double can tell', () => {
  expect(BALANCES.map((balance) => weightOf('proportional', balance))).toEqual(BALANCES);
  expect(BALANCES.map((balance) => weightOf('square-root', balance))).toEqual(ROOTS);
});
