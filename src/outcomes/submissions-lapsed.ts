/** A submitted transaction did not land before its blockhash was over, and never can; its draft may be signed again. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Signature } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const submissionsLapsed = defineOutcome({
  name: 'submissions.lapsed',
  summary: 'A submitted transaction can no longer land; its draft can be refreshed and signed again.',
  of: 'SubmissionLapsed',
  audience: 'operators',
  data: Type.Object({ transactionId: Uuid, signature: Signature }),
  subject: ({ data }) => data.transactionId,
  tell: ({ data: { transactionId, signature } }) => ({ transactionId, signature }),
});
