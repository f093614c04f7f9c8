/** A transaction that had landed is no longer on the chain; it may still land again. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { defineOutcome } from './define-outcome.ts';

export const submissionsDropped = defineOutcome({
  name: 'submissions.dropped',
  summary: 'A fork of the chain dropped a confirmed transaction; it is sent again.',
  of: 'SubmissionDropped',
  audience: 'operators',
  data: Type.Object({ transactionId: Uuid }),
  subject: ({ data }) => data.transactionId,
  tell: ({ data: { transactionId } }) => ({ transactionId }),
});
