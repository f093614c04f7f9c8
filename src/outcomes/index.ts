/** What subscribers are told: one line for each outcome, and one for each event of which nobody is told. */
import type { AnyOutcome } from '../runtime/define-outcome.ts';
import { distributionsConfigured } from './distributions-configured.ts';
import { launchesCompleted } from './launches-completed.ts';
import { launchesStarted } from './launches-started.ts';
import { promotionsEnded } from './promotions-ended.ts';
import { promotionsStarted } from './promotions-started.ts';
import { submissionsAccepted } from './submissions-accepted.ts';
import { submissionsConfirmed } from './submissions-confirmed.ts';
import { submissionsDropped } from './submissions-dropped.ts';
import { submissionsFailed } from './submissions-failed.ts';
import { submissionsFinalized } from './submissions-finalized.ts';
import { submissionsOverdue } from './submissions-overdue.ts';
import { tokensCreated } from './tokens-created.ts';
import { tokensHidden } from './tokens-hidden.ts';
import { tokensReverted } from './tokens-reverted.ts';
import { tokensShown } from './tokens-shown.ts';
import { tokensTransferFeeChanged } from './tokens-transfer-fee-changed.ts';

export const outcomes: readonly AnyOutcome[] = [
  distributionsConfigured,
  launchesCompleted,
  launchesStarted,
  promotionsEnded,
  promotionsStarted,
  submissionsAccepted,
  submissionsConfirmed,
  submissionsDropped,
  submissionsFailed,
  submissionsFinalized,
  submissionsOverdue,
  tokensCreated,
  tokensHidden,
  tokensReverted,
  tokensShown,
  tokensTransferFeeChanged,
];

/** Event types that stay inside, and why. One that is neither here nor told by an outcome is refused by a test. */
export const internalEvents: { readonly [type: string]: string } = {
  ChallengeUsed: "Who signs in is nobody else's concern.",
  SessionRevoked: "Who signs out is nobody else's concern.",
  DistributionWalletGenerated: 'Nothing happened yet: anybody may generate any number.',
  DistributionWalletClaimed: 'A draft holds it, and drafts are between a creator and the service.',
  DraftAbandoned: 'Drafts are between a creator and the service.',
  DraftIssued: 'Drafts are between a creator and the service.',
  DraftSuperseded: 'Drafts are between a creator and the service.',
  DraftExpired: 'Drafts are between a creator and the service.',
  IdempotencyKeyUsed: 'That a call was repeated is between a caller and the service.',
  ImageStored: 'An upload means nothing until a token carries it.',
  PromotionBooked: 'A payment is about to be sent: whether it lands is another matter.',
  LeaseTaken: "Which process does the work is the operator's affair, and is told by readiness.",
  LeaseRenewed: 'Nothing happened: who did the work goes on doing it.',
  LeaseReleased: "Which process does the work is the operator's affair, and is told by readiness.",
  NonceAccountOpened: "How drafts are kept alive is the service's own affair.",
  NonceLeased: "How drafts are kept alive is the service's own affair.",
  NonceReturned: "How drafts are kept alive is the service's own affair.",
  NonceRenewed: "How drafts are kept alive is the service's own affair.",
  ServiceInitialized: "The log's first event: there is nobody yet to be told.",
};
