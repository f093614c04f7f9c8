/** Submissions, for operators: which are under way and since when, which landed, which failed and why. */

import { type Static, Type } from '@sinclair/typebox';
import type { TransactionDocument } from '../projections/transactions.ts';
import { queriesFor } from '../runtime/define-query.ts';
import type { RuntimeServices } from '../runtime/services.ts';
import { Signature, Timestamp } from '../streams/values.ts';
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

const Submission = Type.Object({
  state: State,
  ...transactionFields,
  signature: Type.Union([Signature, Type.Null()]),
  /** Null where the client sent it itself. */
  acceptedAt: Type.Union([Timestamp, Type.Null()]),
  /** It is sent until then, and given up afterwards. */
  deadline: Type.Union([Timestamp, Type.Null()]),
  /** When it was given up; since then its nonce value is being spent. */
  overdueSince: Type.Union([Timestamp, Type.Null()]),
  settledAt: Type.Union([Timestamp, Type.Null()]),
  recorded: Type.Boolean({ description: 'Whether what it is for has been recorded.', examples: [false] }),
  failure: Type.Union(
    [
      Type.Object({ code: Type.String(), message: Type.String(), logs: Type.Array(Type.String()) }),
      Type.Null(),
    ],
    { examples: [null] },
  ),
});

export const listSubmissions = queriesFor<RuntimeServices>()({
  name: 'ListSubmissions',
  summary: 'List submissions',
  route: { method: 'GET', url: '/operator/submissions', auth: 'operator', limit: 'operator' },
  input: {
    query: Type.Object(
      {
        state: Type.Optional(
          Type.Union([...State.anyOf, Type.Literal('unrecorded')], {
            default: 'submitted',
            description: '`unrecorded`: landed, and what it was for is still to be recorded.',
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
    const place =
      state === 'unrecorded'
        ? ({ index: 'work', value: 'record' } as const)
        : ({ index: 'status', value: state } as const);
    const { documents, next } = await pageOfTransactions(readModel, place, query, now);
    return { submissions: documents.flatMap((document) => submissionOf(document, now)), next };
  },
});

/** Empty for a draft that was never submitted, which has none of these states. */
function submissionOf(document: TransactionDocument, now: Date): Static<typeof Submission>[] {
  const { status, signature, acceptedAt, deadline, overdueSince, settledAt, recorded, failure } = document;
  if (status === 'open' || status === 'superseded' || status === 'expired' || status === 'cancelled')
    return [];
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
