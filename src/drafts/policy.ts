/** The draft rules that an operator sets. */

import type { Lifetime } from '../streams/draft-events.ts';

/** Durations in milliseconds. */
export interface DraftPolicy {
  readonly maxTransferFeeBasisPoints: number;
  /** How drafts that are issued from now on stay valid; each draft knows its own. */
  readonly draftLifetimeKind: Lifetime['kind'];
  readonly draftLifetime: number;
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
  /** Micro-lamports per compute unit. */
  readonly maxComputeUnitPrice: bigint;
}
