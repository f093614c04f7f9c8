import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideProceeds, split, sumOf } from '../../../../src/distribution/amounts/split-tax.ts';

const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 0, max: 63 }))
  .map(([value, shift]) => value >> BigInt(shift));
const buckets = fc.record({ developer: amount, holders: amount });
const settings = fc
  .record({
    burnBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    ofTheRest: fc.integer({ min: 0, max: 10_000 }),
    sellBasisPoints: fc.integer({ min: 0, max: 10_000 }),
  })
  .map(({ burnBasisPoints, ofTheRest, sellBasisPoints }) => ({
    burnBasisPoints,
    developerFeeBasisPoints: Math.floor(((10_000 - burnBasisPoints) * ofTheRest) / 10_000),
    sellBasisPoints,
  }));
const nothing = { developer: 0n, holders: 0n };
const nothingBefore = { kept: nothing, ownTax: nothing };

describe('splitting what was collected', () => {
  test('given 10 % to burn, 5 % for the developer and everything to sell, when 1,000 were collected', () => {
    const given = { burnBasisPoints: 1_000, developerFeeBasisPoints: 500, sellBasisPoints: 10_000 };
    expect(split(1_000n, nothingBefore, given, undefined)).toEqual({
      burned: 100n,
      returned: nothing,
      sold: { developer: 50n, holders: 850n },
      kept: nothing,
    });
  });

  test('never burns what was kept', () => {
    const given = { burnBasisPoints: 10_000, developerFeeBasisPoints: 0, sellBasisPoints: 10_000 };
    expect(split(7n, { kept: { developer: 3n, holders: 4n }, ownTax: nothing }, given, undefined)).toEqual({
      burned: 7n,
      returned: nothing,
      sold: { developer: 3n, holders: 4n },
      kept: nothing,
    });
  });

  test('accounts for every unit, sells no more than a bucket has and no more than the bound', () => {
    fc.assert(
      fc.property(
        amount,
        fc.record({ kept: buckets, ownTax: buckets }),
        settings,
        fc.option(amount, { nil: undefined }),
        (collected, carried, given, most) => {
          const { kept, ownTax } = carried;
          const result = split(collected, carried, given, most);
          expect(result.burned + sumOf(result.sold) + sumOf(result.kept)).toBe(collected + sumOf(kept));
          for (const one of [result.sold, result.kept, result.returned]) {
            expect(one.developer).toBeGreaterThanOrEqual(0n);
            expect(one.holders).toBeGreaterThanOrEqual(0n);
          }
          if (most !== undefined) expect(sumOf(result.sold)).toBeLessThanOrEqual(most);
          expect(result.returned.developer).toBeLessThanOrEqual(ownTax.developer);
          expect(result.returned.holders).toBeLessThanOrEqual(ownTax.holders);
          const unbounded = split(collected, carried, given, undefined).sold;
          expect(result.sold.developer).toBeLessThanOrEqual(unbounded.developer);
          expect(result.sold.holders).toBeLessThanOrEqual(unbounded.holders);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('dividing what a sale brought', () => {
  test('takes the costs off the top, and divides the rest as the tokens', () => {
    expect(divideProceeds(1_100n, 100n, { developer: 50n, holders: 850n })).toEqual({
      costs: 100n,
      developer: 55n,
      holders: 945n,
    });
  });

  test('gives the holders what came without a sale', () => {
    expect(divideProceeds(10n, 3n, nothing)).toEqual({ costs: 3n, developer: 0n, holders: 7n });
  });

  test('accounts for every lamport, and never takes more costs than there is', () => {
    fc.assert(
      fc.property(amount, amount, buckets, (brought, costs, sold) => {
        const proceeds = divideProceeds(brought, costs, sold);
        expect(proceeds.costs + proceeds.developer + proceeds.holders).toBe(brought);
        expect(proceeds.costs).toBeLessThanOrEqual(costs);
        expect(proceeds.developer).toBeGreaterThanOrEqual(0n);
        expect(proceeds.holders).toBeGreaterThanOrEqual(0n);
      }),
    );
  });
});
