/**
 * Port of a venue that buys collected tax for SOL, and the choice of a token's venue: the first one with a market for the token.
 */
import type { TransferFee } from 'levy-solana-wire';
import type { KeyPair } from '../../chain/keys.ts';
import type { SaleBasis } from '../../streams/sale-basis.ts';
import type { QuoteRefusal } from '../../streams/unsold-reasons.ts';
import type { PriceReference } from './price-reference.ts';

export type VenueName = 'desk' | 'meteora';

interface TokenOnSale {
  readonly mint: string;
  readonly decimals: number;
  /** Current supply in base units. */
  readonly supply: bigint;
  /** Transfer fee in the current epoch. */
  readonly tax: TransferFee;
}

/** Parameters of a sale. Its instructions depend on nothing else, except keys and the current transfer fee. */
export interface Sale {
  readonly venue: VenueName;
  readonly mint: string;
  readonly decimals: number;
  /** Address of the pool or the desk. */
  readonly market: string;
  /** Base units that leave the wallet's account, including the tax. */
  readonly amount: bigint;
  /** Minimum proceeds in lamports, at least 1; the chain refuses a sale with less. */
  readonly minimum: bigint;
}

/** Bounds of a sale besides the current market. A venue with a fixed price needs none. */
export interface SaleBounds {
  /** Price impact of the token's sales within the window, in millionths. */
  readonly moved: bigint;
  /** `unneeded`: for an estimate at the current price, which sells nothing. */
  readonly reference: PriceReference | 'unknown' | 'unneeded';
}

/** Bounds for a sale at the current price. */
export const ESTIMATE: SaleBounds = { moved: 0n, reference: 'unneeded' };

export type SaleQuote =
  | {
      readonly sale: Sale;
      /** Proceeds at the current price, in lamports. */
      readonly expected: bigint;
      /** Basis of a sale at a market price, which waits for a secret time; without that time. Null if the price is fixed. */
      readonly basis: Omit<SaleBasis, 'at'> | null;
    }
  | ReturnType<typeof refused>;

export function refused(reason: QuoteRefusal) {
  return { reason };
}

/** Accounts of a sale, read or derived when it is signed. */
export interface SaleAccounts {
  /** Owner of both accounts; signs. */
  readonly wallet: string;
  /** Account that holds the tokens. */
  readonly tokens: string;
  /** Wrapped-SOL account that receives the lamports, which are counted after the sale. */
  readonly till: string;
  /** Transfer fee in the current epoch; also applies to a purchase of the desk. */
  readonly tax: TransferFee;
}

export interface SaleVenue {
  readonly name: VenueName;
  /**
   * Quotes the sale of at most `wanted` base units, from a `confirmed` read. The quote is for fewer units if the venue or the
   * bounds allow no more. A refusal by the venue is a returned value. Rejects with `ChainUnavailable` or `ChainAnswerInvalid`.
   */
  quote(token: TokenOnSale, wanted: bigint, bounds: SaleBounds): Promise<SaleQuote>;
  /** Keys that sign in addition to the wallet and the payer. */
  signers(sale: Sale): readonly KeyPair[];
}

export type Markets = ReturnType<typeof createMarkets>;

/** `venues`: in order of preference. */
export function createMarkets(venues: readonly SaleVenue[]) {
  return {
    /** Like `SaleVenue.quote`. If a venue has a market and refuses, no other venue is tried, and the tokens are kept. */
    async quote(token: TokenOnSale, wanted: bigint, bounds: SaleBounds): Promise<SaleQuote> {
      for (const venue of venues) {
        const quote = await venue.quote(token, wanted, bounds);
        if (!('reason' in quote) || quote.reason !== 'no-market') return quote;
      }
      return refused('no-market');
    },
    /** Venue of a quoted sale, also after a restart. */
    venueOf(name: VenueName): SaleVenue {
      const venue = venues.find((candidate) => candidate.name === name);
      if (venue === undefined) throw new Error(`unknown venue ${name}`);
      return venue;
    },
  };
}
