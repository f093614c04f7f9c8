// A transaction in a block was not necessarily executed: its error and its fee show whether it was.
import { expect, test } from 'vitest';
import { wasCertainlyExecuted, wasExecuted } from '../../../src/chain/was-executed.ts';

const RENT_OF_PAYER = '{"InsufficientFundsForRent":{"account_index":0}}';

test('a transaction has run where it succeeded, or where its payer was charged for its failure', () => {
  expect(wasExecuted({ error: undefined, fee: 5_000n })).toBe(true);
  expect(wasExecuted({ error: '{"InstructionError":[2,{"Custom":1}]}', fee: 5_000n })).toBe(true);
  expect(wasExecuted({ error: RENT_OF_PAYER, fee: 5_000n })).toBe(true);
});

test('a transaction has not run where its payer was charged nothing, or could not pay', () => {
  expect(wasExecuted({ error: RENT_OF_PAYER, fee: 0n })).toBe(false);
  expect(wasExecuted({ error: '"BlockhashNotFound"', fee: 0n })).toBe(false);
  for (const error of ['"AccountNotFound"', '"InsufficientFundsForFee"', '"InvalidAccountForFee"'])
    expect(wasExecuted({ error, fee: 5_000n })).toBe(false);
});

test('an error alone says it of the payer’s own troubles at most', () => {
  expect(wasCertainlyExecuted('{"InstructionError":[2,{"Custom":1}]}')).toBe(true);
  expect(wasCertainlyExecuted('{"InsufficientFundsForRent":{"account_index":3}}')).toBe(true);
  expect(wasCertainlyExecuted('an error in words')).toBe(true);
  expect(wasCertainlyExecuted('"InsufficientFundsForFee"')).toBe(false);
  expect(wasCertainlyExecuted(RENT_OF_PAYER)).toBe(false);
});
