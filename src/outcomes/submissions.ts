/** What becomes of signed transactions, for their creators and operators: one outcome for each event of a submission. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Amount, Signature, Timestamp } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

const ofSubmission = {
  audience: 'creators',
  subject: ({ data }: { readonly data: { readonly transactionId: string } }) => data.transactionId,
} as const;

/** The signed bytes are not published: the chain shows them once they have landed. */
export const submissionsAccepted = defineOutcome({
  ...ofSubmission,
  name: 'submissions.accepted',
  summary:
    'A signed transaction was accepted; it is sent until the chain has decided or the deadline has passed.',
  of: 'SubmissionAccepted',
  data: Type.Object({ transactionId: Uuid, signature: Signature, deadline: Timestamp }),
  tell: ({ data: { transactionId, signature, deadline } }) => ({ transactionId, signature, deadline }),
});

export const submissionsConfirmed = defineOutcome({
  ...ofSubmission,
  name: 'submissions.confirmed',
  summary: 'An accepted transaction is confirmed on the chain.',
  of: 'SubmissionConfirmed',
  data: Type.Object({ transactionId: Uuid, signature: Signature, slot: Amount }),
  tell: ({ data: { transactionId, signature, slot } }) => ({ transactionId, signature, slot }),
});

export const submissionsDropped = defineOutcome({
  ...ofSubmission,
  name: 'submissions.dropped',
  summary: 'A fork of the chain dropped a confirmed transaction; it is sent again.',
  of: 'SubmissionDropped',
  data: Type.Object({ transactionId: Uuid }),
  tell: ({ data: { transactionId } }) => ({ transactionId }),
});

/** The log lines come from the chain's program. */
export const submissionsFailed = defineOutcome({
  ...ofSubmission,
  name: 'submissions.failed',
  summary: 'An accepted transaction will never land, or landed and failed.',
  of: 'SubmissionFailed',
  data: Type.Object({
    transactionId: Uuid,
    code: Type.String({ examples: ['CHAIN_REJECTED'] }),
    message: Type.String({ examples: ['The chain refused the transaction.'] }),
    logs: Type.Array(Type.String(), { examples: [['Program log: Error: insufficient funds']] }),
  }),
  tell: ({ data: { transactionId, code, message, logs } }) => ({ transactionId, code, message, logs }),
});

export const submissionsFinalized = defineOutcome({
  ...ofSubmission,
  name: 'submissions.finalized',
  summary: 'A transaction is final: no fork can take it back.',
  of: 'SubmissionFinalized',
  data: Type.Object({ transactionId: Uuid, signature: Signature, slot: Amount }),
  tell: ({ data: { transactionId, signature, slot } }) => ({ transactionId, signature, slot }),
});

export const submissionsLapsed = defineOutcome({
  ...ofSubmission,
  name: 'submissions.lapsed',
  summary: 'A submitted transaction can no longer land; its draft can be refreshed and signed again.',
  of: 'SubmissionLapsed',
  data: Type.Object({ transactionId: Uuid, signature: Signature }),
  tell: ({ data: { transactionId, signature } }) => ({ transactionId, signature }),
});

export const submissionsOverdue = defineOutcome({
  ...ofSubmission,
  name: 'submissions.overdue',
  summary:
    'The deadline of an accepted transaction has passed; the service sends one of its own that makes it void.',
  of: 'SubmissionOverdue',
  data: Type.Object({ transactionId: Uuid, advanceSignature: Signature }),
  tell: ({ data: { transactionId, advanceSignature } }) => ({ transactionId, advanceSignature }),
});
