/** Lists drafts that were never submitted, for operators: open ones, and those that ended without a signature. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { enumOf } from '../streams/value-types.ts';
import {
  fieldsOf,
  Next,
  pageOfTransactions,
  TransactionsQuery,
  transactionFields,
} from './operator-transactions.ts';

const State = enumOf('DraftState', ['open', 'superseded', 'expired', 'cancelled']);

export const listDrafts = queriesFor<RuntimeServices>()({
  name: 'ListDrafts',
  summary: 'List drafts',
  description: 'Drafts that were never submitted: open ones, and those that ended without a signature.',
  route: { method: 'GET', url: '/operator/drafts', auth: 'operator', limit: 'operator' },
  input: {
    query: Type.Object(
      { state: Type.Optional({ ...State, default: 'open' }), ...TransactionsQuery },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    drafts: Type.Array(Type.Object({ state: State, ...transactionFields })),
    next: Next,
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query }, { services: { readModel, clock } }) {
    const { state = 'open' } = query;
    const now = clock.now();
    const place = { index: 'status', value: state } as const;
    const { documents, next } = await pageOfTransactions(readModel, place, query, now);
    return { drafts: documents.map((document) => ({ state, ...fieldsOf(document, now) })), next };
  },
});
