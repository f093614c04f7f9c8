// Weights by which an amount is divided: written over whatever a column held before.
import { expect, test } from 'vitest';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';
import { weigh } from '../../../../src/distribution/amounts/weights.ts';

const MOST = 2n ** 64n - 1n;

function columnOf(...amounts: readonly bigint[]) {
  const column = createAmountColumn(amounts.length);
  for (const [index, amount] of amounts.entries()) column.set(index, amount);
  return column;
}

const BALANCES = [0n, 1n, 15n, 16n, 2n ** 32n, 2n ** 52n - 1n, 2n ** 52n, MOST];
const ROOTS = [0n, 1n, 3n, 4n, 2n ** 16n, 2n ** 26n - 1n, 2n ** 26n, 2n ** 32n - 1n];

test.each([
  ['proportional', BALANCES],
  ['square-root', ROOTS],
] as const)('%s weights do not depend on what the column held: a run may be decided twice', (model, expected) => {
  for (const before of [0n, 2n ** 32n, MOST]) {
    const weights = columnOf(...BALANCES.map(() => before));
    weigh(model, columnOf(...BALANCES), weights, 0, BALANCES.length);
    expect(BALANCES.map((_balance, index) => weights.get(index))).toEqual(expected);
  }
});

test('a slice writes nothing beside it', () => {
  const weights = columnOf(MOST, MOST, MOST);
  weigh('square-root', columnOf(9n, 16n, 25n), weights, 1, 2);
  expect([0, 1, 2].map((index) => weights.get(index))).toEqual([MOST, 4n, MOST]);
});
