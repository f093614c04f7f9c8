import * as sdk from '@meteora-ag/cp-amm-sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as curve from '../../../../src/chain/venue/curve.ts';
import { big, bn } from './sdk-numbers.ts';

const U64_MAX = 2n ** 64n - 1n;
const U128_MAX = 2n ** 128n - 1n;

/** Evenly over the orders of magnitude, where `bigInt` would give hardly any small number. */
function magnitude(min: bigint, max: bigint): fc.Arbitrary<bigint> {
  const bits = max.toString(2).length;
  return fc
    .tuple(fc.bigInt({ min: 0n, max }), fc.integer({ min: 0, max: bits - 1 }))
    .map(([value, shift]) => value >> BigInt(shift))
    .map((value) => (value < min ? min : value));
}

const amount = magnitude(1n, U64_MAX);
const liquidity = magnitude(1n, U128_MAX);
const sqrtPrice = magnitude(curve.MIN_SQRT_PRICE, curve.MAX_SQRT_PRICE);
const range = fc
  .tuple(sqrtPrice, sqrtPrice)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => (a < b ? { lower: a, upper: b } : { lower: b, upper: a }));

describe('the arithmetic of a pool', () => {
  test("has the bounds of the venue's own SDK", () => {
    expect([curve.MIN_SQRT_PRICE, curve.MAX_SQRT_PRICE]).toEqual(
      [sdk.MIN_SQRT_PRICE, sdk.MAX_SQRT_PRICE].map(big),
    );
  });

  test('gives the amounts that the SDK gives: what the pool holds rounded up, what it was paid rounded down', () => {
    fc.assert(
      fc.property(liquidity, range, (pool, { lower, upper }) => {
        const [l, a, b] = [bn(pool), bn(lower), bn(upper)];
        expect(curve.baseUnitsBetween(pool, lower, upper)).toBe(
          big(sdk.getAmountAFromLiquidityDeltaForConcentratedLiquidity(a, b, l, sdk.Rounding.Up)),
        );
        expect(curve.lamportsBetween(pool, lower, upper)).toBe(
          big(sdk.getAmountBFromLiquidityDeltaForConcentratedLiquidity(a, b, l, sdk.Rounding.Down)),
        );
      }),
    );
  });

  test('gives the liquidity that the SDK gives, which never asks for more tokens than there are', () => {
    fc.assert(
      fc.property(amount, range, (tokens, { lower, upper }) => {
        const made = curve.liquidityOf(tokens, lower, upper);
        expect(made).toBe(
          big(sdk.getLiquidityDeltaFromAmountAForConcentratedLiquidity(bn(tokens), bn(lower), bn(upper))),
        );
        expect(curve.baseUnitsBetween(made, lower, upper)).toBeLessThanOrEqual(tokens);
      }),
    );
  });

  test('finds the lowest price at which the supply is worth what it shall be worth', () => {
    fc.assert(
      fc.property(amount, amount, (cap, supply) => {
        const price = curve.sqrtPriceOfMarketCap(cap, supply);
        expect(curve.marketCap(price, supply)).toBeGreaterThanOrEqual(cap);
        expect(curve.marketCap(price - 1n, supply)).toBeLessThan(cap);
      }),
    );
  });
});

describe('progress', () => {
  test('is the part of the target in hundredths of a percent, rounded down, and never above all of it', () => {
    const cases: [bigint, bigint, number][] = [
      [0n, 100n, 0],
      [1n, 3n, 3_333],
      [99_999n, 100_000n, 9_999],
      [100_000n, 100_000n, 10_000],
      [U64_MAX, 1n, 10_000],
    ];
    for (const [now, target, expected] of cases) {
      expect(curve.progressBasisPoints(now, target)).toBe(expected);
    }
  });
});

describe('a price in words', () => {
  const decimals = fc.integer({ min: 0, max: 9 });

  /** The text as a fraction, whole over a power of ten. */
  function fractionOf(text: string): { readonly numerator: bigint; readonly denominator: bigint } {
    const [whole = '', fraction = ''] = text.split('.');
    return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
  }

  test('is the price of one whole token, cut off after 12 significant digits', () => {
    fc.assert(
      fc.property(sqrtPrice, decimals, (price, places) => {
        const text = curve.priceText(price, places);
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        const significant = text.replace('.', '').replace(/^0+/, '');
        if (!text.includes('.')) expect(text).toBe(String((price * price * 10n ** BigInt(places)) >> 128n));
        else expect(significant.length).toBeLessThanOrEqual(12);
        const { numerator, denominator } = fractionOf(text);
        const exact = price * price * 10n ** BigInt(places) * denominator;
        expect(numerator << 128n).toBeLessThanOrEqual(exact);
        // Cut off, and by less than one unit of the twelfth digit.
        expect((exact - (numerator << 128n)) * 10n ** 11n).toBeLessThan(exact);
      }),
    );
  });

  test('needs no exponent, however small or large it is', () => {
    expect(curve.priceText(curve.MIN_SQRT_PRICE, 0)).toBe('0.0000000000000000000542121463026');
    expect(curve.priceText(curve.MAX_SQRT_PRICE, 9)).toBe('18446050713735950759526560806');
    expect(curve.priceText(2n ** 64n, 0)).toBe('1');
    expect(curve.priceText(2n ** 63n, 0)).toBe('0.25');
  });
});
