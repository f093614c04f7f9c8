/** Every stream category of the service: one line each. */

import type { FoldableStream } from '../kernel/runtime/define-stream.ts';
import { idempotencyKey } from '../kernel/runtime/idempotency-key.ts';
import { lease } from '../kernel/runtime/lease.ts';
import { quarantine } from '../kernel/runtime/quarantine.ts';
import { snapshot } from '../kernel/runtime/snapshots.ts';
import { checkpoint } from './checkpoint.ts';
import { distribution } from './distribution.ts';
import { distributionOwners } from './distribution-owners.ts';
import { distributionRun } from './distribution-run.ts';
import { distributionSwitch } from './distribution-switch.ts';
import { distributionWallet } from './distribution-wallet.ts';
import { draft } from './draft.ts';
import { featuredList } from './featured-list.ts';
import { imageUpload } from './image-upload.ts';
import { launch } from './launch.ts';
import { nonceAccount } from './nonce-account.ts';
import { partners } from './partners.ts';
import { readModelRebuilds } from './read-model-rebuilds.ts';
import { service } from './service.ts';
import { session } from './session.ts';
import { signIn } from './sign-in.ts';
import { token } from './token.ts';

const all = [
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
] as const satisfies readonly FoldableStream[];

export const streams: readonly FoldableStream[] = all;

type EventOfStream<Stream> = Stream extends { evolve(state: never, event: infer Event): unknown }
  ? Event
  : never;

export type LevyEvent = EventOfStream<(typeof all)[number]>;

/** The stream category of each event type; types are unique across categories. */
export const categoryOfType: ReadonlyMap<string, string> = new Map(
  streams.flatMap(({ category, events }) => Object.keys(events).map((type) => [type, category] as const)),
);
