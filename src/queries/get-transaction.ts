/** A transaction's outcome, for clients that lost the answer to their submission or were told to wait. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { transactions } from '../projections/transactions.ts';
import { rejection } from '../streams/rejections.ts';
import { Transaction, transactionView } from '../views/transaction-view.ts';

export const getTransaction = queriesFor<RuntimeServices>()({
  name: 'GetTransaction',
  summary: 'Follow a transaction',
  description:
    'Where a draft or a submitted transaction of the signed-in wallet stands: what to ask after a ' +
    '`CONFIRMATION_PENDING`, or after an answer that was lost.',
  route: { method: 'GET', url: '/transactions/:transactionId', auth: 'wallet', limit: 'transactions' },
  input: { params: Type.Object({ transactionId: Uuid }) },
  output: Transaction,
  rejections: ['TRANSACTION_NOT_FOUND', 'NOT_TRANSACTION_OWNER', 'STORE_UNAVAILABLE'],
  async answer({ params: { transactionId } }, { services: { readModel, clock }, call }) {
    const document = await readModel.get(transactions, transactionId);
    if (document === undefined) {
      throw rejection('TRANSACTION_NOT_FOUND', 'There is no transaction with this transactionId.');
    }
    if (document.issued.creator !== call.actor) {
      throw rejection('NOT_TRANSACTION_OWNER', 'This transaction was issued to another wallet.');
    }
    return transactionView(document, clock.now().toISOString());
  },
});
