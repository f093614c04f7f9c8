/** The draft rules that an operator sets. */

/** Durations in milliseconds. */
export interface DraftPolicy {
  readonly maxTransferFeeBasisPoints: number;
  readonly draftLifetime: number;
  /** How long a recent blockhash counts as valid. */
  readonly blockhashLifetime: number;
  readonly openDraftsPerWallet: number;
  /** How many tokens the featured list can hold at a time. */
  readonly featuredPlaces: number;
  /** Lamports. */
  readonly featuredPricePerDay: bigint;
  /** The address to which promotions are paid; undefined where none are sold. */
  readonly treasury: string | undefined;
  /** A launch's target as a multiple of its market cap at the start. */
  readonly launchStartRatio: number;
  readonly settleDeadline: number;
  /** How long a submit call waits for the outcome. */
  readonly submitWait: number;
  readonly claimLapse: number;
  /** Micro-lamports per compute unit. */
  readonly maxComputeUnitPrice: bigint;
}
