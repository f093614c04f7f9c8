/** The services that commands about drafts use. */
import type { Keyring } from '../chain/keys.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import type { ImageServices } from '../server/images/services.ts';
import type { Venue } from './launches/venue.ts';
import type { NoncePool } from './nonces/nonce-pool.ts';
import type { DraftPolicy } from './policy.ts';
import type { Settlements } from './settlements.ts';
import type { SlotTime } from './slot-time.ts';

export interface DraftServices extends RuntimeServices, ImageServices {
  readonly policy: DraftPolicy;
  /**
   * Resolves when the read models show everything recorded by now, or after two seconds. Rejects while the store does
   * not answer.
   */
  readonly readModelsCaughtUp: () => Promise<void>;
  readonly chain: Chain;
  readonly slotTime: SlotTime;
  readonly keyring: Keyring;
  readonly nonces: NoncePool;
  readonly settlements: Settlements;
  /** Whether any process sends submissions. Rejects when the store fails. */
  readonly hasSettler: () => Promise<boolean>;
  readonly venue: Venue;
}
