/** What commands and queries may use; `app.ts` puts it together. */

import type { AccessTokens } from '../auth/access-token.ts';
import type { Operators } from '../auth/operators.ts';
import type { Revocations } from '../auth/revocations.ts';
import type { SignIn, SignInOrigin } from '../auth/sign-in-challenge.ts';
import type { Keyring } from '../chain/keys.ts';
import type { EventFeed } from '../delivery/feed/event-feed.ts';
import type { Venue } from '../drafts/launches/venue.ts';
import type { NoncePool } from '../drafts/nonce-pool.ts';
import type { Outcomes } from '../drafts/outcomes.ts';
import type { WalletClaims } from '../drafts/wallet-claim.ts';
import type { LaunchFiguresNow } from '../observers/pool-watcher.ts';
import type { MetricsText } from '../operations/metrics/metrics.ts';
import type { Chain } from '../ports/chain.ts';
import type { Position } from '../ports/event-store.ts';
import type { ImageStore } from '../ports/image-store.ts';
import type { ReadModel } from '../ports/read-model.ts';
import type { Clock } from '../runtime/clock.ts';
import { commandsFor } from '../runtime/define-command.ts';
import { queriesFor } from '../runtime/define-query.ts';
import type { Executor } from '../runtime/execute.ts';
import type { ProjectionStatus } from '../runtime/projector.ts';

/** The rules that an operator sets. Durations in milliseconds. */
export interface Policy {
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

/** One thing that has to work for the service to be of use. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly details: { readonly [key: string]: string | number | boolean | null };
}

export interface Services {
  readonly policy: Policy;
  /** Without a slash at the end. */
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly executor: Executor;
  readonly readModel: ReadModel;
  /** Resolves when the read models show all that is recorded by now, or after two seconds. Rejects while the store does not answer. */
  readonly readModelsCaughtUp: () => Promise<void>;
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly nonces: NoncePool;
  readonly walletClaims: WalletClaims;
  readonly outcomes: Outcomes;
  readonly venue: Venue;
  readonly launches: LaunchFiguresNow;
  readonly images: ImageStore;
  readonly eventFeed: EventFeed;
  readonly signIn: SignIn;
  /** The origin that a sign-in from there names. */
  readonly signInOriginOf: (origin: string | undefined) => SignInOrigin;
  readonly signInOrigins: () => readonly SignInOrigin[];
  readonly accessTokens: AccessTokens;
  readonly revocations: Revocations;
  readonly operators: Operators;
  /** The text of the API's description. */
  readonly openApi: () => string;
  /** The same of what subscribers are told. */
  readonly asyncApi: () => string;
  readonly readiness: () => Promise<readonly ReadinessCheck[]>;
  /** How far the projections are, and the end of the log. Rejects while the store does not answer. */
  readonly projections: () => Promise<{
    readonly head: Position;
    readonly projections: readonly ProjectionStatus[];
  }>;
  readonly metrics: () => Promise<MetricsText>;
}

export const defineCommand = commandsFor<Services>();
export const defineQuery = queriesFor<Services>();
