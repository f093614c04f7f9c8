// What a run costs the distributor in fees, estimated before it begins.
import { expect, test } from 'vitest';
import { estimateFees } from '../../../src/distribution/costs.ts';

const run = { withWithheld: 0, owners: 0, mostPots: 50, isFirst: false };
const FEE = 5_000n;
/** The withdrawal, the split, and the links that open and close. */
const LINKS = 8n * FEE;

test('a payment costs one fee in either asset', () => {
  // One of 61 recipients, one of 59.
  const atOne = (asset: 'sol' | 'token') => estimateFees({ ...run, asset, owners: 59 });
  expect(atOne('sol')).toBe(LINKS + FEE);
  expect(atOne('token')).toBe(LINKS + FEE + FEE);
});

test('a key that pays in the token is lent more for each hundred payments, and emptied once', () => {
  const payments = 250n;
  expect(estimateFees({ ...run, asset: 'token', owners: 59 * Number(payments) })).toBe(
    LINKS + payments * FEE + 2n * 2n * FEE + FEE,
  );
});
