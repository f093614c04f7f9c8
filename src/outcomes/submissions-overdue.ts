/** An accepted transaction did not land in time. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Signature } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const submissionsOverdue = defineOutcome({
  name: 'submissions.overdue',
  summary:
    'The deadline of an accepted transaction has passed; the service sends one of its own that makes it void.',
  of: 'SubmissionOverdue',
  audience: 'operators',
  data: Type.Object({ transactionId: Uuid, advanceSignature: Signature }),
  subject: ({ data }) => data.transactionId,
  tell: ({ data: { transactionId, advanceSignature } }) => ({ transactionId, advanceSignature }),
});
