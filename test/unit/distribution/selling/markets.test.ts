// Which venue a token is sold at.
import { describe, expect, test } from 'vitest';
import {
  createMarkets,
  ESTIMATE,
  type SaleQuote,
  type SaleVenue,
  type VenueName,
} from '../../../../src/distribution/selling/sale-venue.ts';
import type { QUOTE_REFUSALS } from '../../../../src/streams/unsold-reasons.ts';
import { addresses } from '../../../support/domain-examples.ts';

const token = {
  mint: addresses.mint,
  decimals: 6,
  supply: 1_000_000n,
  tax: { epoch: 0n, basisPoints: 300, maximumFee: 2n ** 64n - 1n },
};

const sold = (venue: VenueName): SaleQuote => ({
  sale: { venue, mint: token.mint, decimals: 6, market: addresses.creator, amount: 7n, minimum: 1n },
  expected: 1n,
  basis: null,
});

function venue(name: VenueName, quote: SaleQuote): SaleVenue {
  return { name, quote: async () => quote, signers: () => [] };
}

const refused = (reason: keyof typeof QUOTE_REFUSALS): SaleQuote => ({ reason });

describe('a token is sold', () => {
  test('at the first venue that has a market for it', async () => {
    const both = [venue('meteora', sold('meteora')), venue('desk', sold('desk'))];
    expect(await createMarkets(both).quote(token, 7n, ESTIMATE)).toEqual(sold('meteora'));
    const withoutPool = [venue('meteora', refused('no-market')), venue('desk', sold('desk'))];
    expect(await createMarkets(withoutPool).quote(token, 7n, ESTIMATE)).toEqual(sold('desk'));
  });

  test('nowhere else while its own market refuses', async () => {
    const paused = [venue('meteora', refused('pool-paused')), venue('desk', sold('desk'))];
    expect(await createMarkets(paused).quote(token, 7n, ESTIMATE)).toEqual(refused('pool-paused'));
  });
});

test('a recorded sale finds its venue again by its name, and never another', () => {
  const meteora = venue('meteora', sold('meteora'));
  const markets = createMarkets([meteora]);
  expect(markets.venueOf('meteora')).toBe(meteora);
  expect(() => markets.venueOf('desk')).toThrow('unknown venue desk');
});
