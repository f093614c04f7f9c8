/** Chooses the venue of a token: the first that has a market for it, and that one alone. */
import type { SaleBounds, SaleQuote, SaleVenue, TokenOnSale, VenueName } from './sale-venue.ts';

export interface Markets {
  /** As `SaleVenue.quote`. A venue that has a market but refuses is not passed over: the tokens are kept. */
  quote(token: TokenOnSale, wanted: bigint, bounds: SaleBounds): Promise<SaleQuote>;
  /** For a sale that was quoted, also before a restart. */
  venueOf(name: VenueName): SaleVenue;
}

/** In the order of preference. */
export function createMarkets(venues: readonly SaleVenue[]): Markets {
  return {
    async quote(token, wanted, bounds) {
      for (const venue of venues) {
        const quote = await venue.quote(token, wanted, bounds);
        if (quote.outcome === 'sale' || quote.reason !== 'no-market') return quote;
      }
      return { outcome: 'refused', reason: 'no-market' };
    },
    venueOf(name) {
      const venue = venues.find((candidate) => candidate.name === name);
      if (venue === undefined) throw new Error(`no venue is called ${name}`);
      return venue;
    },
  };
}
