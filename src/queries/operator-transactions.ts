/**
 * Shared parts of the operators' lists of drafts and submissions. Each lists one state in the order of issue, and
 * continues after the last entry seen, so entries that leave the state shift no page. A page reads no more than it may
 * hold.
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
import { Address, described, orNull, Signature, Timestamp } from '../streams/values.ts';
import { cutoffOf, OlderThan } from './older-than.ts';
import { CursorQuery, cutPage, Next as NextOfList, noPageAfter, OrderQuery } from './pages.ts';

export const TransactionsQuery = {
  olderThan: Type.Optional(OlderThan),
  order: OrderQuery('oldest'),
  ...CursorQuery,
};

export const Next = described(
  NextOfList,
  `${NextOfList.description} With \`olderThan\`, pages before the last may hold fewer than the limit.`,
);

/** Fields that locate a transaction on the chain and in the log, without the signed bytes. */
export const transactionFields = {
  transactionId: Uuid,
  purpose: Type.String({ examples: ['token-creation'] }),
  creator: Address,
  tokenId: Uuid,
  mintAddress: Address,
  /** The account whose nonce it uses; null with a recent blockhash. */
  nonceAccount: orNull(Address),
  /** The last block height at which a transaction on a recent blockhash can land. */
  lastValidBlockHeight: orNull(Type.Integer({ minimum: 0 }), { examples: [312000150] }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  historyFloodedSince: orNull(Timestamp, {
    description: 'Start of a slow search for its outcome: its account is named in very many transactions.',
    examples: [null],
  }),
  outcomeUnknown: orNull(
    Type.Object({
      since: Timestamp,
      code: UnknownOutcomeCode,
      message: Type.String(),
      address: described(Address, 'The account whose history was read.'),
      signatures: Type.Array(Signature, {
        description: 'Transactions that the node lists there and does not return.',
      }),
    }),
    {
      description:
        'Reason why the chain does not show its outcome: look it up with another node, and conclude it.',
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
    'The node lists transactions in the history of this account and does not show them: one of them may be it.',
  TRANSACTION_NOT_FOUND:
    'Final accounts say that it, or a transaction that rules it out, has landed; the history of this account was read, and neither is in it.',
};

function unknownView({ code, signatures, ...rest }: NonNullable<TransactionDocument['unknownOutcome']>) {
  return { ...rest, code, message: WHY_UNKNOWN[code], signatures: [...signatures] };
}

/** When its age starts: a draft's issue; a submission's acceptance, or the time when it was seen to land. */
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
    throw noPageAfter('transaction');
  const found = await readModel.find(transactions, index, value, {
    limit: limit + 1,
    descending: order === 'newest',
    after,
  });
  const { shown: read, next } = cutPage(found, limit, ({ transactionId }) => transactionId);
  const last = read.at(-1);
  // Acceptance never precedes issue: after a draft issued too late, none is old enough.
  const isOver = order === 'oldest' && last !== undefined && last.createdAt > cutoff;
  return {
    documents: read.filter((document) => sinceOf(document) <= cutoff),
    next: isOver ? null : next,
  };
}
