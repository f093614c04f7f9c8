/** The outcomes sent to subscribers, one line each. */
import type { AnyOutcome } from '../kernel/runtime/define-outcome.ts';
import { streams } from '../streams/index.ts';
import { distributionsAllotted } from './distributions-allotted.ts';
import { distributionsCompleted } from './distributions-completed.ts';
import { distributionsConfigured } from './distributions-configured.ts';
import { distributionsHalted, distributionsResumed } from './distributions-halted-and-resumed.ts';
import { distributionsSkipped } from './distributions-skipped.ts';
import { distributionsStarted } from './distributions-started.ts';
import { launchesCompleted } from './launches-completed.ts';
import { launchesStarted } from './launches-started.ts';
import { promotionsEnded } from './promotions-ended.ts';
import { promotionsStarted } from './promotions-started.ts';
import {
  submissionsAccepted,
  submissionsConfirmed,
  submissionsDropped,
  submissionsFailed,
  submissionsFinalized,
  submissionsLapsed,
  submissionsOverdue,
} from './submissions.ts';
import { tokensCreated } from './tokens-created.ts';
import { tokensHidden, tokensShown } from './tokens-hidden-and-shown.ts';
import { tokensReverted } from './tokens-reverted.ts';
import { tokensTransferFeeChanged } from './tokens-transfer-fee-changed.ts';

export const outcomes: readonly AnyOutcome[] = [
  distributionsAllotted,
  distributionsCompleted,
  distributionsConfigured,
  distributionsHalted,
  distributionsResumed,
  distributionsSkipped,
  distributionsStarted,
  launchesCompleted,
  launchesStarted,
  promotionsEnded,
  promotionsStarted,
  submissionsAccepted,
  submissionsConfirmed,
  submissionsDropped,
  submissionsFailed,
  submissionsFinalized,
  submissionsLapsed,
  submissionsOverdue,
  tokensCreated,
  tokensHidden,
  tokensReverted,
  tokensShown,
  tokensTransferFeeChanged,
];

/** Unpublished event types and why, from their streams. A test refuses a type that is neither here nor published. */
export const internalEvents: { readonly [type: string]: string } = Object.assign(
  {},
  ...streams.map(({ internal }) => internal),
);
