/** Services used by the commands about drafts. */
import type { Keyring } from '../chain/keys.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import type { ImageServices } from '../server/services.ts';
import type { Lifetime } from '../streams/draft-events.ts';
import type { Venue } from './launches/venue.ts';
import type { NoncePool } from './nonces/nonce-pool.ts';
import type { Settlements } from './settlements.ts';
import type { SlotTime } from './slot-time.ts';

export interface DraftServices extends RuntimeServices, ImageServices {
  readonly policy: DraftPolicy;
  /**
   * Resolves when the read models include all events recorded by now, or after two seconds. Rejects if the store
   * does not respond.
   */
  readonly readModelsCaughtUp: () => Promise<void>;
  readonly chain: Chain;
  readonly slotTime: SlotTime;
  readonly keyring: Keyring;
  readonly nonces: NoncePool;
  readonly settlements: Settlements;
  /** Resolves with true if any process sends submissions. Rejects if the store fails. */
  readonly hasSettler: () => Promise<boolean>;
  readonly venue: Venue;
}

/** Operator settings for drafts. */
export interface DraftPolicy {
  readonly maxTransferFeeBasisPoints: number;
  readonly maxPartnerShareBasisPoints: number;
  /** Lifetime of newly issued drafts; each draft stores its own. */
  readonly draftLifetimeKind: Lifetime['kind'];
  readonly draftLifetimeMs: number;
  readonly openDraftsPerWallet: number;
  /** Capacity of the featured list. */
  readonly featuredPlaces: number;
  /** Lamports. */
  readonly featuredPricePerDay: bigint;
  /** Address that receives payments for promotions; undefined if none are sold. */
  readonly treasury: string | undefined;
  /** Target of a launch as a multiple of its market cap at the start. */
  readonly launchStartRatio: number;
  readonly settleDeadlineMs: number;
  /** Timeout in milliseconds of a submit call that waits for the outcome. */
  readonly submitWaitMs: number;
  /** Micro-lamports per compute unit. */
  readonly priorityFeeMax: bigint;
}
