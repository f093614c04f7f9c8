/** A transaction is part of the chain for good. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Amount, Signature } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const submissionsFinalized = defineOutcome({
  name: 'submissions.finalized',
  summary: 'A transaction is final: no fork can take it back.',
  of: 'SubmissionFinalized',
  audience: 'operators',
  data: Type.Object({ transactionId: Uuid, signature: Signature, slot: Amount }),
  subject: ({ data }) => data.transactionId,
  tell: ({ data: { transactionId, signature, slot } }) => ({ transactionId, signature, slot }),
});
