// What a run costs the distributor in fees, estimated before it begins.
import { expect, test } from 'vitest';
import { estimateFees } from '../../../src/distribution/run/estimate-run.ts';

const run = { withWithheld: 0, owners: 0, mostPots: 50, isFirst: false };
const FEE = 5_000n;
/** The withdrawal, the split, and the links that open and close. */
const LINKS = 8n * FEE;

test('a payment costs a signature in SOL, and two in the token itself', () => {
  // 61 recipients at most, and 59.
  const of = (asset: 'sol' | 'token', owners: number) => estimateFees({ ...run, asset, owners });
  expect(of('sol', 59)).toBe(LINKS + FEE);
  expect(of('token', 59)).toBe(LINKS + 2n * FEE);
  expect(of('token', 59 * 250)).toBe(LINKS + 2n * 250n * FEE);
});
