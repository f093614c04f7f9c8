import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { launchFigures } from '../../../../src/chain/venue/launch-figures.ts';
import { launchBasis, terms } from './launch-example.ts';

describe('the figures of a launch', () => {
  test('are at the start: the market cap that the target allows, nothing sold, nothing collected', () => {
    expect(launchFigures(launchBasis, terms.sqrtMinPrice)).toEqual({
      marketCap: 25_000_000_000n,
      progressBasisPoints: 0,
      tokensForSale: 772_000_000_000_000n,
      tokensSold: 0n,
      solCollected: 0n,
      price: '25',
    });
  });

  test('are to the unit what a purchase from the start pays and takes, in the arithmetic of the venue', () => {
    const { sqrtMinPrice, liquidity } = launchBasis;
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 14n }), (lamports) => {
        // As the program moves the price: rounded down, so that the buyer never gets more than was paid for.
        const after = sqrtMinPrice + (lamports << 128n) / liquidity;
        const { solCollected, tokensSold } = launchFigures(launchBasis, after);
        expect(solCollected).toBe(lamports);
        expect(tokensSold).toBe((liquidity * (after - sqrtMinPrice)) / (after * sqrtMinPrice));
      }),
    );
  });

  test('are those of the bound for a price outside of the bounds, so that nothing is ever negative', () => {
    const { sqrtMinPrice, sqrtMaxPrice } = launchBasis;
    expect(launchFigures(launchBasis, 0n)).toEqual(launchFigures(launchBasis, sqrtMinPrice));
    expect(launchFigures(launchBasis, sqrtMaxPrice * 2n)).toEqual(launchFigures(launchBasis, sqrtMaxPrice));
    const all = launchFigures(launchBasis, sqrtMaxPrice);
    expect(all.progressBasisPoints).toBe(10_000);
    // What is for sale was paid in, and is rounded up.
    expect(terms.tokensForSale - all.tokensSold).toBeLessThanOrEqual(1n);
  });
});
