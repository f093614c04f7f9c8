/** Every stream category of the service: one line each. */

import type { FoldableStream } from '../kernel/runtime/define-stream.ts';
import { type LeaseEvent, lease } from '../kernel/runtime/lease.ts';
import { type CheckpointEvent, checkpoint } from './checkpoint.ts';
import { type DistributionEvent, distribution } from './distribution.ts';
import { type DistributionOwnersEvent, distributionOwners } from './distribution-owners.ts';
import { type DistributionRunEvent, distributionRun } from './distribution-run.ts';
import { type DistributionSwitchEvent, distributionSwitch } from './distribution-switch.ts';
import { type DistributionWalletEvent, distributionWallet } from './distribution-wallet.ts';
import { draft } from './draft.ts';
import type { DraftEvent } from './draft-events.ts';
import { type FeaturedListEvent, featuredList } from './featured-list.ts';
import { type IdempotencyKeyEvent, idempotencyKey } from './idempotency-key.ts';
import { type ImageUploadEvent, imageUpload } from './image-upload.ts';
import { type LaunchEvent, launch } from './launch.ts';
import { type NonceAccountEvent, nonceAccount } from './nonce-account.ts';
import { type PartnersEvent, partners } from './partners.ts';
import { type QuarantineEvent, quarantine } from './quarantine.ts';
import { type ReadModelRebuildsEvent, readModelRebuilds } from './read-model-rebuilds.ts';
import { type ServiceEvent, service } from './service.ts';
import { type SessionEvent, session } from './session.ts';
import { type SignInEvent, signIn } from './sign-in.ts';
import { type SnapshotEvent, snapshot } from './snapshot.ts';
import { type TokenEvent, token } from './token.ts';

export type LevyEvent =
  | CheckpointEvent
  | DistributionEvent
  | DistributionOwnersEvent
  | DistributionRunEvent
  | DistributionSwitchEvent
  | DistributionWalletEvent
  | DraftEvent
  | FeaturedListEvent
  | IdempotencyKeyEvent
  | ImageUploadEvent
  | LaunchEvent
  | LeaseEvent
  | NonceAccountEvent
  | PartnersEvent
  | QuarantineEvent
  | ReadModelRebuildsEvent
  | ServiceEvent
  | SessionEvent
  | SignInEvent
  | SnapshotEvent
  | TokenEvent;

export const streams: readonly FoldableStream[] = [
  checkpoint,
  distribution,
  distributionOwners,
  distributionRun,
  distributionSwitch,
  distributionWallet,
  draft,
  featuredList,
  idempotencyKey,
  imageUpload,
  launch,
  lease,
  nonceAccount,
  partners,
  quarantine,
  readModelRebuilds,
  service,
  session,
  signIn,
  snapshot,
  token,
];

/** The stream category of each event type; types are unique across categories. */
export const categoryOfType: ReadonlyMap<string, string> = new Map(
  streams.flatMap(({ category, events }) => Object.keys(events).map((type) => [type, category] as const)),
);
