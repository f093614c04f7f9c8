/** View of a draft for its owner: its outcome, and until when it can be signed. */
import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import {
  OWNER_STATES,
  type OwnerState,
  ownerStateOf,
  type TransactionDocument,
} from '../projections/transactions.ts';
import { Address, enumOf, orNull, Signature, Timestamp } from '../streams/value-types.ts';

export const TransactionStatus = enumOf('TransactionStatus', OWNER_STATES);

export const Transaction = Type.Object(
  {
    transactionId: Uuid,
    purpose: Type.String(),
    status: TransactionStatus,
    signature: orNull(Signature),
    mintAddress: Address,
    error: orNull(
      Type.Object({ code: Type.String(), message: Type.String(), logs: Type.Array(Type.String()) }),
    ),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    settledAt: orNull(Timestamp),
    waitingFor: Type.Optional(
      Type.Object(
        {
          code: enumOf('TransactionWaitCode', ['HISTORY_SEARCH', 'OUTCOME_UNKNOWN']),
          message: Type.String(),
        },
        { description: 'Reason why the outcome is delayed; absent in the usual case.' },
      ),
    ),
  },
  {
    title: 'Transaction',
    examples: [
      {
        transactionId: 'e4153692-d871-5726-af0c-6e95d6f691d7',
        purpose: 'token-creation',
        status: 'confirmed',
        signature: '4zVgEYjsbnq5zrBW1naqXHNuPKmojuHmmyuGVJD2Xxc9KcZARqc3JzJ9VKhsdeeDukGPUZjkjXi13KUc8A3GoRo8',
        mintAddress: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
        error: null,
        createdAt: '2026-11-21T12:00:00.000Z',
        expiresAt: '2026-11-21T12:05:00.000Z',
        settledAt: '2026-11-21T12:00:42.000Z',
      },
    ],
  },
);

/** Message for a draft's owner while its outcome is searched in a flooded history. */
export const HISTORY_SEARCHED =
  'Very many transactions on the chain name an account of this transaction. The service searches all of them, a few at a ' +
  'time, and reports the outcome when the search has ended.';

const OUTCOME_UNKNOWN =
  "The service's nodes do not return the outcome of this transaction. The service keeps searching, and an operator can conclude it.";

export function transactionView(document: TransactionDocument, now: string): Static<typeof Transaction> {
  const { transactionId, issued, failure, signature, createdAt, settledAt } = document;
  return {
    transactionId,
    purpose: issued.subject.kind,
    status: statusAt(document, now),
    signature,
    mintAddress: issued.subject.mintAddress,
    error: failure && { code: failure.code, message: failure.message, logs: failure.logs },
    createdAt,
    expiresAt: issued.expiresAt,
    settledAt,
    ...waitingFor(document),
  };
}

function waitingFor({ unknownOutcome, floodedSince }: TransactionDocument) {
  if (unknownOutcome !== undefined)
    return { waitingFor: { code: 'OUTCOME_UNKNOWN' as const, message: OUTCOME_UNKNOWN } };
  return (
    floodedSince !== undefined && {
      waitingFor: { code: 'HISTORY_SEARCH' as const, message: HISTORY_SEARCHED },
    }
  );
}

/** Status at a time. Launches expire only by observation, since their blockhash may live longer than `expiresAt`. */
export function statusAt(document: TransactionDocument, now: string): OwnerState {
  const { subject, expiresAt } = document.issued;
  const isOver = document.status === 'open' && subject.kind !== 'launch' && expiresAt <= now;
  return isOver ? 'expired' : ownerStateOf(document);
}
