import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sqrtPriceOfMarketCap } from '../../../../src/chain/venue/curve.ts';
import { launchFigures } from '../../../../src/chain/venue/launch-figures.ts';
import { decodePool } from '../../../../src/chain/venue/venue-accounts.ts';
import { launchBasis, terms } from './launch-example.ts';
import { recorded } from './recorded-accounts.ts';

const AFTER_SALE = decodePool(recorded('pool-after-sale').data)?.sqrtPrice ?? 0n;

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

  test('are after 20 SOL: one percent went to the fee, the rest is in the pool', () => {
    expect(launchFigures(launchBasis, AFTER_SALE)).toMatchInlineSnapshot(`
      {
        "marketCap": 102607452548n,
        "price": "102.607452548",
        "progressBasisPoints": 2069,
        "solCollected": 19800000000n,
        "tokensForSale": 772000000000000n,
        "tokensSold": 390936061381304n,
      }
    `);
  });

  test('are half of the way at the middle between the market cap at the start and the target', () => {
    const { supply } = launchBasis;
    const middle = sqrtPriceOfMarketCap(212_500_000_000n, supply);
    expect(launchFigures(launchBasis, middle).progressBasisPoints).toBe(5_000);
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

  test('never sell more than is for sale', () => {
    const price = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
    fc.assert(
      fc.property(price, (sqrtPrice) => {
        const { tokensSold, tokensForSale, solCollected } = launchFigures(launchBasis, sqrtPrice);
        expect(tokensSold).toBeGreaterThanOrEqual(0n);
        expect(tokensSold).toBeLessThanOrEqual(tokensForSale);
        expect(solCollected).toBeGreaterThanOrEqual(0n);
      }),
    );
  });
});
