/** The rules for drafts that an operator sets. */

/** Durations in milliseconds. */
export interface DraftPolicy {
  readonly maxTransferFeeBasisPoints: number;
  readonly draftLifetime: number;
  /** How long a recent blockhash is taken to be good for. */
  readonly blockhashLifetime: number;
  readonly openDraftsPerWallet: number;
  /** How many tokens the featured list has room for at a time. */
  readonly featuredPlaces: number;
  /** Lamports. */
  readonly featuredPricePerDay: bigint;
  /** Where promotions are paid to; undefined where none are sold. */
  readonly treasury: string | undefined;
  /** How often the market cap at the start of a launch goes into its target. */
  readonly launchStartRatio: number;
  readonly settleDeadline: number;
  /** How long a submit call waits for the outcome. */
  readonly submitWait: number;
  readonly claimLapse: number;
  /** Micro-lamports per compute unit. */
  readonly maxComputeUnitPrice: bigint;
}
