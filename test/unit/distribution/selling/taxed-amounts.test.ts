// How much to send of a taxed token, so that not more than so much arrives.
import fc from 'fast-check';
import type { TransferFee } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { arriving, largestToSend } from '../../../../src/distribution/selling/taxed-amounts.ts';

const U64_MAX = 2n ** 64n - 1n;
const u64 = fc.oneof(fc.bigInt({ min: 0n, max: U64_MAX }), fc.bigInt({ min: 0n, max: 100_000n }));
const tax: fc.Arbitrary<TransferFee> = fc.record({
  epoch: fc.constant(0n),
  basisPoints: fc.integer({ min: 0, max: 10_000 }),
  maximumFee: u64,
});

test('as much as is wanted is sent where not too much arrives, and else not one base unit less than possible', () => {
  fc.assert(
    fc.property(tax, u64, u64, (rate, wanted, most) => {
      const sent = largestToSend(rate, wanted, most);
      expect(sent).toBeLessThanOrEqual(wanted);
      expect(arriving(rate, sent)).toBeLessThanOrEqual(most);
      if (sent < wanted) expect(arriving(rate, sent + 1n)).toBeGreaterThan(most);
    }),
    { numRuns: 2_000 },
  );
});

test('nothing arrives where everything is taken', () => {
  const all = { epoch: 0n, basisPoints: 10_000, maximumFee: U64_MAX };
  expect(arriving(all, U64_MAX)).toBe(0n);
  expect(largestToSend(all, U64_MAX, 0n)).toBe(U64_MAX);
});
