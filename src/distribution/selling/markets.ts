/** Chooses the venue of a token: the first that has a market for it, and that one alone. */
import type { SaleQuote, SaleVenue, VenueName } from './sale-venue.ts';

/** All venues as one. */
export type Markets = Omit<SaleVenue, 'name'>;

/** In the order of preference. A venue that has a market but refuses is not passed over: the tokens are kept. */
export function createMarkets(venues: readonly SaleVenue[]): Markets {
  const byName = new Map<VenueName, SaleVenue>(venues.map((venue) => [venue.name, venue]));
  const venueOf = (name: VenueName): SaleVenue => {
    const venue = byName.get(name);
    if (venue === undefined) throw new Error(`no venue is called ${name}`);
    return venue;
  };
  return {
    async quote(token, wanted) {
      for (const venue of venues) {
        const quote = await venue.quote(token, wanted);
        if (quote.outcome === 'sale' || quote.reason !== 'no-market') return quote;
      }
      return { outcome: 'refused', reason: 'no-market' } satisfies SaleQuote;
    },
    instructions: (sale, accounts) => venueOf(sale.venue).instructions(sale, accounts),
    signers: (sale) => venueOf(sale.venue).signers(sale),
  };
}
