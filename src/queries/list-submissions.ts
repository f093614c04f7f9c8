/** Lists submissions for operators: pending ones with their age, landed ones, and failed ones with the reason. */

import { type Static, Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import type { TransactionDocument } from '../projections/transactions.ts';
import { orNull, Signature, Timestamp } from '../streams/value-types.ts';
import {
  fieldsOf,
  Next,
  pageOfTransactions,
  TransactionsQuery,
  transactionFields,
} from './operator-transactions.ts';

const State = Type.Union(
  (['submitted', 'confirmed', 'finalized', 'failed'] as const).map((state) => Type.Literal(state)),
);

/** A launch can also be open or cancelled here: its creator may send it without the service, with an unknown outcome. */
const ListedState = Type.Union([Type.Literal('open'), Type.Literal('cancelled'), ...State.anyOf], {
  title: 'SubmissionState',
  examples: ['submitted'],
});

const Submission = Type.Object({
  state: ListedState,
  ...transactionFields,
  signature: orNull(Signature),
  /** Null if the client sent the transaction without the service. */
  acceptedAt: orNull(Timestamp),
  /** End of resending. */
  deadline: orNull(Timestamp),
  /** Time of the timeout; since then the service spends its nonce value. */
  overdueSince: orNull(Timestamp),
  settledAt: orNull(Timestamp),
  recorded: Type.Boolean({
    description: 'True if the effect of the transaction is recorded.',
    examples: [false],
  }),
  failure: orNull(
    Type.Object({ code: Type.String(), message: Type.String(), logs: Type.Array(Type.String()) }),
    { examples: [null] },
  ),
});

export const listSubmissions = queriesFor<RuntimeServices>()({
  name: 'ListSubmissions',
  summary: 'List submissions',
  description:
    'Signed transactions: pending ones with their age, landed ones, and failed ones with the reason.',
  route: { method: 'GET', url: '/operator/submissions', auth: 'operator', limit: 'operator' },
  input: {
    query: Type.Object(
      {
        state: Type.Optional(
          Type.Union([...State.anyOf, Type.Literal('unrecorded'), Type.Literal('unknown')], {
            title: 'SubmissionFilter',
            default: 'submitted',
            description:
              '`unrecorded`: landed, but the effect is not recorded yet. `unknown`: the chain does not show the ' +
              'outcome; includes launches that their creators sent.',
          }),
        ),
        ...TransactionsQuery,
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({ submissions: Type.Array(Submission), next: Next }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query }, { services: { readModel, clock } }) {
    const { state = 'submitted' } = query;
    const now = clock.now();
    const { documents, next } = await pageOfTransactions(readModel, placeOf(state), query, now);
    return { submissions: documents.flatMap((document) => submissionOf(document, now)), next };
  },
});

function placeOf(state: Static<typeof State> | 'unrecorded' | 'unknown') {
  if (state === 'unrecorded') return { index: 'work', value: 'record' } as const;
  if (state === 'unknown') return { index: 'unknown', value: 'unknown' } as const;
  return { index: 'status', value: state } as const;
}

/** Empty for a draft that ended without a submission. */
function submissionOf(document: TransactionDocument, now: Date): Static<typeof Submission>[] {
  const { status, signature, acceptedAt, deadline, overdueSince, settledAt, recorded, failure } = document;
  if (status === 'superseded' || status === 'expired') return [];
  return [
    {
      state: status,
      ...fieldsOf(document, now),
      signature,
      acceptedAt,
      deadline,
      overdueSince,
      settledAt,
      recorded,
      failure: failure && { code: failure.code, message: failure.message, logs: failure.logs },
    },
  ];
}
