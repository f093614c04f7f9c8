/** A transaction's outcome, for clients that lost the answer to their submission or were told to wait. */

import { type Static, Type } from '@sinclair/typebox';
import { type TransactionDocument, transactions } from '../projections/transactions.ts';
import { queriesFor } from '../runtime/define-query.ts';
import type { RuntimeServices } from '../runtime/services.ts';
import { rejection } from '../streams/rejections.ts';
import { Address, Signature, Timestamp, Uuid } from '../streams/values.ts';

const Status = Type.Union(
  (['awaiting_signature', 'submitted', 'confirmed', 'failed', 'expired'] as const).map((status) =>
    Type.Literal(status),
  ),
);

export const getTransaction = queriesFor<RuntimeServices>()({
  name: 'GetTransaction',
  summary: 'Follow a transaction',
  route: { method: 'GET', url: '/transactions/:transactionId', auth: 'wallet', limit: 'transactions' },
  input: { params: Type.Object({ transactionId: Uuid }) },
  output: Type.Object(
    {
      transactionId: Uuid,
      purpose: Type.String(),
      status: Status,
      signature: Type.Union([Signature, Type.Null()]),
      mintAddress: Address,
      error: Type.Union([
        Type.Object({ code: Type.String(), message: Type.String(), logs: Type.Array(Type.String()) }),
        Type.Null(),
      ]),
      createdAt: Timestamp,
      expiresAt: Timestamp,
      settledAt: Type.Union([Timestamp, Type.Null()]),
    },
    {
      title: 'Transaction',
      examples: [
        {
          transactionId: 'e4153692-d871-5726-af0c-6e95d6f691d7',
          purpose: 'token-creation',
          status: 'confirmed',
          signature:
            '4zVgEYjsbnq5zrBW1naqXHNuPKmojuHmmyuGVJD2Xxc9KcZARqc3JzJ9VKhsdeeDukGPUZjkjXi13KUc8A3GoRo8',
          mintAddress: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
          error: null,
          createdAt: '2026-11-21T12:00:00.000Z',
          expiresAt: '2026-11-21T12:05:00.000Z',
          settledAt: '2026-11-21T12:00:42.000Z',
        },
      ],
    },
  ),
  rejections: ['TRANSACTION_NOT_FOUND', 'NOT_TRANSACTION_OWNER', 'STORE_UNAVAILABLE'],
  async answer({ params: { transactionId } }, { services: { readModel, clock }, call }) {
    const document = await readModel.get(transactions, transactionId);
    if (document === undefined) {
      throw rejection('TRANSACTION_NOT_FOUND', 'There is no transaction with this transactionId.');
    }
    const { issued, failure, signature, createdAt, settledAt } = document;
    if (issued.creator !== call.actor) {
      throw rejection('NOT_TRANSACTION_OWNER', 'This transaction was issued to another wallet.');
    }
    return {
      transactionId,
      purpose: issued.subject.kind,
      status: publicStatus(document, clock.now().toISOString()),
      signature,
      mintAddress: issued.subject.mintAddress,
      error: failure && { code: failure.code, message: failure.message, logs: failure.logs },
      createdAt,
      expiresAt: issued.expiresAt,
      settledAt,
    };
  },
});

function publicStatus({ status, issued }: TransactionDocument, now: string): Static<typeof Status> {
  switch (status) {
    case 'open':
      // Only the chain knows how long a recent blockhash is valid: expired means that it was observed.
      return issued.lifetime.kind === 'durable-nonce' && issued.expiresAt <= now
        ? 'expired'
        : 'awaiting_signature';
    case 'superseded':
    case 'expired':
      return 'expired';
    case 'finalized':
      return 'confirmed';
    case 'submitted':
    case 'confirmed':
    case 'failed':
      return status;
  }
}
