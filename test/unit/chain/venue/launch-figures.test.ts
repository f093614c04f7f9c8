import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { launchFigures } from '../../../../src/chain/venue/launch-figures.ts';
import { decodePool } from '../../../../src/chain/venue/venue-accounts.ts';
import { launchBasis, terms } from './launch-example.ts';
import { recorded } from './recorded-accounts.ts';

const AFTER_SALE = decodePool(recorded('pool-after-sale').data)?.sqrtPrice ?? 0n;

describe('the figures of a launch', () => {
  test('are at the start: the market cap that the target allows, nothing sold, nothing collected', () => {
    expect(launchFigures(launchBasis, terms.sqrtMinPrice)).toEqual({
      marketCap: 25_000_000_000n,
      progressBasisPoints: 625,
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
        "progressBasisPoints": 2565,
        "solCollected": 19799999999n,
        "tokensForSale": 772000000000000n,
        "tokensSold": 390936061381304n,
      }
    `);
  });

  test('are those of the bound for a price outside of the bounds, so that nothing is ever negative', () => {
    const { sqrtMinPrice, sqrtMaxPrice } = launchBasis;
    expect(launchFigures(launchBasis, 0n)).toEqual(launchFigures(launchBasis, sqrtMinPrice));
    expect(launchFigures(launchBasis, sqrtMaxPrice * 2n)).toEqual(launchFigures(launchBasis, sqrtMaxPrice));
    expect(launchFigures(launchBasis, sqrtMaxPrice)).toMatchObject({
      tokensSold: terms.tokensForSale,
      progressBasisPoints: 10_000,
    });
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
