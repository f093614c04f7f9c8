/** A signed transaction was accepted. Its bytes are not published: the chain shows them once they have landed. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Signature, Timestamp } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const submissionsAccepted = defineOutcome({
  name: 'submissions.accepted',
  summary:
    'A signed transaction was accepted; it is sent until the chain has decided or the deadline has passed.',
  of: 'SubmissionAccepted',
  audience: 'operators',
  data: Type.Object({ transactionId: Uuid, signature: Signature, deadline: Timestamp }),
  subject: ({ data }) => data.transactionId,
  tell: ({ data: { transactionId, signature, deadline } }) => ({ transactionId, signature, deadline }),
});
