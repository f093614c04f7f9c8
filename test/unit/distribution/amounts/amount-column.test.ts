import { expect, test } from 'vitest';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';

test('a column of amounts refuses what is no amount of 64 bits, and places outside', () => {
  const column = createAmountColumn(2);
  expect(() => column.set(0, -1n)).toThrow('not an unsigned 64-bit amount');
  expect(() => column.set(0, 2n ** 64n)).toThrow('not an unsigned 64-bit amount');
  expect(() => column.get(2)).toThrow('amount index 2 is out of range (2 amounts)');
  expect(() => column.set(-1, 1n)).toThrow('amount index -1 is out of range (2 amounts)');
});
