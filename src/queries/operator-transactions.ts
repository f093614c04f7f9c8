/**
 * Shared parts of the operators' lists of drafts and submissions. Each list has one state, in the order of issue. Cursors name
 * the last entry, so that entries that leave the state do not shift the pages.
 */
import { type Static, type TObject, Type } from '@sinclair/typebox';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { type TransactionDocument, transactions } from '../projections/transactions.ts';
import {
  CheckedBy,
  ConcludedOutcome,
  type UnknownOutcome,
  UnknownOutcomeCode,
} from '../streams/draft-events.ts';
import { Address, described, orNull, Signature, Timestamp } from '../streams/value-types.ts';
import { CursorQuery, cutPage, Next as NextOfList, OrderQuery, unknownCursorRejection } from './pages.ts';
import { cutoffOf, OlderThan } from './time-filters.ts';

export const TransactionsQuery = {
  olderThan: Type.Optional(OlderThan),
  order: OrderQuery('oldest'),
  ...CursorQuery,
};

export const Next = described(
  NextOfList,
  `${NextOfList.description} With \`olderThan\`, pages before the last may have fewer entries than the limit.`,
);

/** Fields that locate a transaction on the chain and in the log, without the signed bytes. */
export const transactionFields = {
  transactionId: Uuid,
  purpose: Type.String({ examples: ['token-creation'] }),
  creator: Address,
  tokenId: Uuid,
  mintAddress: Address,
  /** Account of the transaction's durable nonce; null with a recent blockhash. */
  nonceAccount: orNull(Address),
  /** Last block height at which a transaction with a recent blockhash can land. */
  lastValidBlockHeight: orNull(Type.Integer({ minimum: 0 }), { examples: [312000150] }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  historyFloodedSince: orNull(Timestamp, {
    description: 'Start of a slow search for the outcome, because very many transactions name the account.',
    examples: [null],
  }),
  outcomeUnknown: orNull(
    Type.Object({
      since: Timestamp,
      code: UnknownOutcomeCode,
      message: Type.String(),
      address: described(Address, 'Account whose history was read.'),
      signatures: Type.Array(Signature, {
        description: 'Transactions that the node lists in that history but does not return.',
      }),
    }),
    {
      description:
        'Reason why the chain does not show the outcome. Look the transaction up with another node, then conclude it.',
      examples: [null],
    },
  ),
  conclusion: orNull(
    Type.Object({
      at: Timestamp,
      outcome: ConcludedOutcome,
      signature: orNull(Signature),
      checked: CheckedBy,
      reason: Type.String(),
      by: Type.String({ examples: ['alice'] }),
    }),
    { description: "The operator's conclusion.", examples: [null] },
  ),
  ageSeconds: Type.Integer({
    description: 'Seconds since the issue of a draft or the acceptance of a submission.',
    examples: [42],
  }),
};

export function fieldsOf(document: TransactionDocument, now: Date) {
  const {
    transactionId,
    issued,
    createdAt,
    floodedSince = null,
    unknownOutcome,
    conclusion = null,
  } = document;
  const { creator, expiresAt, lifetime, subject } = issued;
  return {
    transactionId,
    purpose: subject.kind,
    creator,
    tokenId: subject.tokenId,
    mintAddress: subject.mintAddress,
    nonceAccount: lifetime.kind === 'durable-nonce' ? lifetime.nonceAccount : null,
    lastValidBlockHeight: lifetime.kind === 'recent-blockhash' ? Number(lifetime.lastValidBlockHeight) : null,
    createdAt,
    expiresAt,
    historyFloodedSince: floodedSince,
    outcomeUnknown: unknownOutcome === undefined ? null : unknownView(unknownOutcome),
    conclusion: conclusion && { ...conclusion },
    ageSeconds: secondsBetween(sinceOf(document), now),
  };
}

const WHY_UNKNOWN: { readonly [code in UnknownOutcome['code']]: string } = {
  TRANSACTION_NOT_SHOWN:
    'The node lists transactions in the history of this account but does not return them; one of them may be this transaction.',
  TRANSACTION_NOT_FOUND:
    'Final accounts show that this transaction, or one that excludes it, has landed, but neither is in the history of this account.',
};

function unknownView({ code, signatures, ...rest }: NonNullable<TransactionDocument['unknownOutcome']>) {
  return { ...rest, code, message: WHY_UNKNOWN[code], signatures: [...signatures] };
}

/** Start of the transaction's age: acceptance or observed landing of a submission, else the issue of the draft. */
function sinceOf({ createdAt, acceptedAt, settledAt }: TransactionDocument): string {
  return acceptedAt ?? settledAt ?? createdAt;
}

export function secondsBetween(since: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 1_000));
}

export async function pageOfTransactions(
  readModel: ReadModel,
  { index, value }: { readonly index: 'status' | 'work' | 'unknown'; readonly value: string },
  { olderThan, order = 'oldest', limit = 20, after }: Static<TObject<typeof TransactionsQuery>>,
  now: Date,
): Promise<{ readonly documents: readonly TransactionDocument[]; readonly next: string | null }> {
  const cutoff = cutoffOf(olderThan, now);
  if (after !== undefined && (await readModel.get(transactions, after)) === undefined)
    throw unknownCursorRejection('transaction');
  const found = await readModel.find(transactions, index, value, {
    limit: limit + 1,
    descending: order === 'newest',
    after,
  });
  const { shown: read, next } = cutPage(found, limit, ({ transactionId }) => transactionId);
  const last = read.at(-1);
  // Acceptance never precedes issue, so all entries after a draft issued later than the cutoff are too young.
  const isOver = order === 'oldest' && last !== undefined && last.createdAt > cutoff;
  return {
    documents: read.filter((document) => sinceOf(document) <= cutoff),
    next: isOver ? null : next,
  };
}
