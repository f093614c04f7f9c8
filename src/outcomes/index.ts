/** The outcomes sent to subscribers, one line each. */
import type { AnyOutcome } from '../kernel/runtime/define-outcome.ts';
import { streams } from '../streams/index.ts';
import { distributionsAllotted } from './distributions-allotted.ts';
import { distributionsCompleted } from './distributions-completed.ts';
import { distributionsConfigured } from './distributions-configured.ts';
import { distributionsHalted } from './distributions-halted.ts';
import { distributionsResumed } from './distributions-resumed.ts';
import { distributionsSkipped } from './distributions-skipped.ts';
import { distributionsStarted } from './distributions-started.ts';
import { launchesCompleted } from './launches-completed.ts';
import { launchesStarted } from './launches-started.ts';
import { promotionsEnded } from './promotions-ended.ts';
import { promotionsStarted } from './promotions-started.ts';
import { submissionsAccepted } from './submissions-accepted.ts';
import { submissionsConfirmed } from './submissions-confirmed.ts';
import { submissionsDropped } from './submissions-dropped.ts';
import { submissionsFailed } from './submissions-failed.ts';
import { submissionsFinalized } from './submissions-finalized.ts';
import { submissionsLapsed } from './submissions-lapsed.ts';
import { submissionsOverdue } from './submissions-overdue.ts';
import { tokensCreated } from './tokens-created.ts';
import { tokensHidden } from './tokens-hidden.ts';
import { tokensReverted } from './tokens-reverted.ts';
import { tokensShown } from './tokens-shown.ts';
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
