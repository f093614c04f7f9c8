/** What the engine asks of a place that buys a token's collected tax for SOL. */
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

/** What a sale is bound by beside the market of the moment. A venue with a fixed price needs none of it. */
export interface SaleBounds {
  /** Millionths by which sales have moved the price of the token's pool within the window. */
  readonly moved: bigint;
  /** `unneeded`: nothing will be sold, it is an estimate at the price of the moment. */
  readonly reference: PriceReference | 'unknown' | 'unneeded';
}

/** What would be sold now, at the price of the moment. */
export const ESTIMATE: SaleBounds = { moved: 0n, reference: 'unneeded' };

export type SaleQuote =
  | {
      readonly outcome: 'sale';
      readonly sale: Sale;
      /** The lamports that it would bring now. */
      readonly expected: bigint;
      /**
       * By what it was judged, without its moment, where the price is a market's: such a sale waits for a moment that is not
       * told. Null where the price is fixed.
       */
      readonly basis: Omit<SaleBasis, 'at'> | null;
    }
  | { readonly outcome: 'refused'; readonly reason: QuoteRefusal };

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
  /** Whether others move the price: such a sale has a reference, a budget, and a secret moment. */
  readonly price: 'market' | 'fixed';
  /**
   * What a sale of at most `wanted` base units would bring now, as a `confirmed` read shows it. Sells fewer where the venue
   * takes no more at this price, or within the bounds. Rejects with `ChainUnavailable` or `ChainAnswerInvalid`; refusals are answers.
   */
  quote(token: TokenOnSale, wanted: bigint, bounds: SaleBounds): Promise<SaleQuote>;
  /** The keys that sign beside the wallet and the payer. */
  signers(sale: Sale): readonly KeyPair[];
}
