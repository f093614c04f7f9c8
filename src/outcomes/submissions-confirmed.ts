/** An accepted transaction landed. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Amount, Signature } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const submissionsConfirmed = defineOutcome({
  name: 'submissions.confirmed',
  summary: 'An accepted transaction is confirmed on the chain.',
  of: 'SubmissionConfirmed',
  audience: 'operators',
  data: Type.Object({ transactionId: Uuid, signature: Signature, slot: Amount }),
  subject: ({ data }) => data.transactionId,
  tell: ({ data: { transactionId, signature, slot } }) => ({ transactionId, signature, slot }),
});
