/** Port of a venue that buys a token's collected tax for SOL, and the choice of a token's venue: the first that has a market for it. */
import type { TransferFee } from 'levy-solana-wire';
import type { KeyPair } from '../../chain/keys.ts';
import type { SaleBasis } from '../../streams/sale-basis.ts';
import type { QuoteRefusal } from '../../streams/unsold-reasons.ts';
import type { PriceReference } from './price-reference.ts';

export type VenueName = 'desk' | 'meteora';

export interface TokenOnSale {
  readonly mint: string;
  readonly decimals: number;
  /** Base units that there are now. */
  readonly supply: bigint;
  /** The rate that is valid in the current epoch. */
  readonly tax: TransferFee;
}

/** Everything that decides what a sale does: nothing else goes into its instructions but keys and the tax of the day. */
export interface Sale {
  readonly venue: VenueName;
  readonly mint: string;
  readonly decimals: number;
  /** The address of the pool or the desk. */
  readonly market: string;
  /** Base units that leave the wallet's account, the tax among them. */
  readonly amount: bigint;
  /** The least lamports that arrive: the chain refuses a sale that brings less. At least 1. */
  readonly minimum: bigint;
}

/** Bounds of a sale besides the current market. A venue with a fixed price needs none. */
export interface SaleBounds {
  /** Millionths by which sales have moved the price of the token's pool within the window. */
  readonly moved: bigint;
  /** `unneeded`: nothing will be sold, it is an estimate at the price of the moment. */
  readonly reference: PriceReference | 'unknown' | 'unneeded';
}

/** Bounds for a sale at the current price. */
export const ESTIMATE: SaleBounds = { moved: 0n, reference: 'unneeded' };

export type SaleQuote =
  | {
      readonly sale: Sale;
      /** The lamports that it would bring now. */
      readonly expected: bigint;
      /**
       * Basis of the judgement without its time, if the price is a market's: such a sale waits for a secret time. Null if the
       * price is fixed.
       */
      readonly basis: Omit<SaleBasis, 'at'> | null;
    }
  | ReturnType<typeof refused>;

export function refused(reason: QuoteRefusal) {
  return { reason };
}

/** The accounts of a sale, read or derived when it is signed. */
export interface SaleAccounts {
  /** Owns both accounts and signs. */
  readonly wallet: string;
  /** Holds the tokens. */
  readonly tokens: string;
  /** An account of wrapped SOL; it receives the lamports, which are counted after the sale. */
  readonly till: string;
  /** The rate that is valid in the current epoch: the tax that a desk's purchase pays. */
  readonly tax: TransferFee;
}

export interface SaleVenue {
  readonly name: VenueName;
  /**
   * Quotes the sale of at most `wanted` base units by a `confirmed` read. Sells fewer if the venue takes no more at this price,
   * or within the bounds. Rejects with `ChainUnavailable` or `ChainAnswerInvalid`; refusals are answers.
   */
  quote(token: TokenOnSale, wanted: bigint, bounds: SaleBounds): Promise<SaleQuote>;
  /** The keys that sign beside the wallet and the payer. */
  signers(sale: Sale): readonly KeyPair[];
}

export type Markets = ReturnType<typeof createMarkets>;

/** In the order of preference. */
export function createMarkets(venues: readonly SaleVenue[]) {
  return {
    /** Like `SaleVenue.quote`. If a venue has a market and refuses, no other venue is tried and the tokens are kept. */
    async quote(token: TokenOnSale, wanted: bigint, bounds: SaleBounds): Promise<SaleQuote> {
      for (const venue of venues) {
        const quote = await venue.quote(token, wanted, bounds);
        if (!('reason' in quote) || quote.reason !== 'no-market') return quote;
      }
      return refused('no-market');
    },
    /** For a sale that was quoted, also before a restart. */
    venueOf(name: VenueName): SaleVenue {
      const venue = venues.find((candidate) => candidate.name === name);
      if (venue === undefined) throw new Error(`no venue is called ${name}`);
      return venue;
    },
  };
}
