import { expect, test } from 'vitest';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';

test('a column of amounts refuses what is no amount of 64 bits, and places outside', () => {
  const column = createAmountColumn(2);
  expect(() => column.set(0, -1n)).toThrow('no amount of 64 bits');
  expect(() => column.set(0, 2n ** 64n)).toThrow('no amount of 64 bits');
  expect(() => column.get(2)).toThrow('no amount 2 among 2');
  expect(() => column.set(-1, 1n)).toThrow('no amount -1 among 2');
});
