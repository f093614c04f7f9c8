/** What the engine asks of a place that buys a token's collected tax for SOL. */
import type { Instruction, TransferFee } from 'levy-solana-wire';
import type { KeyPair } from '../../chain/keys.ts';

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

/** Why a venue buys nothing now, and the sentence that people read. */
export const QUOTE_REFUSALS = {
  'no-market': 'There is no pool of this token and no desk that buys it.',
  'venue-missing': 'The program of the launch venue is not on this chain.',
  'pool-not-ours': 'The pool is not the one that the launch of this token made.',
  'pool-paused': 'The venue has paused the pool.',
  'pool-unsuitable': 'The pool takes its fee in a way that sales are not computed for.',
  'pool-empty': 'The pool holds no SOL: nobody has bought from it.',
  'price-impact': 'Even the smallest sale would move the price of the pool by more than is allowed.',
  'too-little': 'The tokens are worth less than a sale needs to have a bound.',
  'desk-not-allowed': 'The desk does not buy this token.',
  'desk-budget-spent': 'The desk has spent its budget.',
  'desk-empty': 'The desk does not hold enough SOL.',
} as const;

export type QuoteRefusal = keyof typeof QUOTE_REFUSALS;

export type SaleQuote =
  | {
      readonly outcome: 'sale';
      readonly sale: Sale;
      /** The lamports that it would bring now. */
      readonly expected: bigint;
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
  /**
   * What a sale of at most `wanted` base units would bring now, as a `confirmed` read shows it. Sells fewer where the venue
   * takes no more at this price. Rejects with `ChainUnavailable` or `ChainAnswerInvalid`; refusals are answers.
   */
  quote(token: TokenOnSale, wanted: bigint): Promise<SaleQuote>;
  /**
   * Moves the sale's tokens out of the wallet's account and its lamports into the till, or fails as a whole. Runs when the
   * till exists and before its lamports are counted. Pure, and the same for the same sale and accounts.
   */
  instructions(sale: Sale, accounts: SaleAccounts): readonly Instruction[];
  /** The keys that sign beside the wallet and the payer. */
  signers(sale: Sale): readonly KeyPair[];
}
