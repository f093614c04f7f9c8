import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outstandingAfter, split, sumOf, taxOfSale } from '../../../../src/distribution/amounts/split-tax.ts';

const nothing = { developer: 0n, holders: 0n };
const rates = (older: number, newer: number, maximumFee = 2n ** 64n - 1n) => ({
  older: { epoch: '0', basisPoints: older, maximumFee: maximumFee.toString() },
  newer: { epoch: '9', basisPoints: newer, maximumFee: maximumFee.toString() },
});

describe('the tax of a sale', () => {
  test('is rounded up, and at most what the rate says', () => {
    expect(taxOfSale(rates(300, 300), 5n, 1_001n)).toBe(31n);
    expect(taxOfSale(rates(300, 300, 7n), 5n, 1_001n)).toBe(7n);
    expect(taxOfSale(rates(300, 300), 5n, 0n)).toBe(0n);
  });

  test('is at the newer rate from its epoch on', () => {
    expect([8n, 9n, 10n].map((epoch) => taxOfSale(rates(300, 100), epoch, 10_000n))).toEqual([
      300n,
      100n,
      100n,
    ]);
  });
});

describe('the tax of an earlier sale, when it is collected', () => {
  // The example of the docs.
  const given = { burnBasisPoints: 1_000, developerFeeBasisPoints: 500, sellBasisPoints: 10_000 };

  test('goes back to its buckets, and only what else was collected is burned and divided', () => {
    const first = split(100_000n, { kept: nothing, ownTax: nothing }, given, undefined);
    expect(first).toMatchObject({ burned: 10_000n, sold: { developer: 5_000n, holders: 85_000n } });
    const tax = taxOfSale(rates(500, 500), 0n, sumOf(first.sold));
    const ownTax = outstandingAfter(nothing, first, tax);
    expect(ownTax).toEqual({ developer: 250n, holders: 4_250n });
    expect(split(54_500n, { kept: first.kept, ownTax }, given, undefined)).toEqual({
      burned: 5_000n,
      returned: { developer: 250n, holders: 4_250n },
      sold: { developer: 2_750n, holders: 46_750n },
      kept: nothing,
    });
  });
});

const basisPoints = fc.integer({ min: 0, max: 10_000 });
const run = fc.record({
  /** Tax of other people's transfers. */
  fresh: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  /** Of the withheld tax of sales, so much is not collected by this run. */
  late: fc.oneof(fc.constant(0), basisPoints),
  burnBasisPoints: fc.integer({ min: 0, max: 6_000 }),
  developerFeeBasisPoints: fc.integer({ min: 0, max: 4_000 }),
  sellBasisPoints: basisPoints,
  most: fc.option(fc.bigInt({ min: 0n, max: 2n ** 40n }), { nil: undefined }),
  tax: basisPoints,
});

test('over runs with any settings, what was kept and the tax of sales is burned and divided 0 times, by bucket', () => {
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 12 }), (runs) => {
      let before = { kept: nothing, ownTax: nothing };
      /** Of sales, on the chain. */
      let withheld = 0n;
      const sums = { fresh: 0n, divided: 0n, burned: 0n };
      const earned = { developer: 0n, holders: 0n };
      const spent = { developer: 0n, holders: 0n };
      for (const { fresh, late, most, tax, ...given } of runs) {
        const left = (withheld * BigInt(late)) / 10_000n;
        const collected = fresh + withheld - left;
        const parted = split(collected, before, given, most);
        const ofSale = taxOfSale(rates(tax, tax), 0n, sumOf(parted.sold));
        const ownTax = outstandingAfter(before.ownTax, parted, ofSale);
        withheld = left + ofSale;

        const divided = collected - sumOf(parted.returned);
        expect(parted.burned).toBe((divided * BigInt(given.burnBasisPoints)) / 10_000n);
        const forDeveloper = (divided * BigInt(given.developerFeeBasisPoints)) / 10_000n;
        earned.developer += forDeveloper;
        earned.holders += divided - parted.burned - forDeveloper;
        sums.fresh += fresh;
        sums.divided += divided;
        sums.burned += parted.burned;
        for (const bucket of ['developer', 'holders'] as const) {
          const taxed = ownTax[bucket] - before.ownTax[bucket] + parted.returned[bucket];
          spent[bucket] += parted.sold[bucket] - taxed;
          expect(earned[bucket]).toBe(spent[bucket] + parted.kept[bucket] + ownTax[bucket]);
          expect(ownTax[bucket]).toBeGreaterThanOrEqual(0n);
        }
        before = { kept: parted.kept, ownTax };
        // What came late is divided late; nothing is divided twice.
        expect(withheld).toBeGreaterThanOrEqual(sumOf(ownTax));
        expect(sums.divided).toBe(sums.fresh - (withheld - sumOf(ownTax)));
      }
      expect(sums.burned + earned.developer + earned.holders).toBe(sums.divided);
    }),
    { numRuns: 300 },
  );
});
