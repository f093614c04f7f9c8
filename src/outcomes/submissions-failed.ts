/** An accepted transaction failed. The log lines come from the chain's program. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { defineOutcome } from './define-outcome.ts';

export const submissionsFailed = defineOutcome({
  name: 'submissions.failed',
  summary: 'An accepted transaction will never land, or landed and failed.',
  of: 'SubmissionFailed',
  audience: 'operators',
  data: Type.Object({
    transactionId: Uuid,
    code: Type.String({ examples: ['CHAIN_REJECTED'] }),
    message: Type.String({ examples: ['The chain refused the transaction.'] }),
    logs: Type.Array(Type.String(), { examples: [['Program log: Error: insufficient funds']] }),
  }),
  subject: ({ data }) => data.transactionId,
  tell: ({ data: { transactionId, code, message, logs } }) => ({ transactionId, code, message, logs }),
});
