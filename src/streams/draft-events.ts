/** Events of a draft, from its issue to its outcome on the chain. */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { DraftSubject } from './purposes/index.ts';
import { Address, Amount, Base64, orNull, Signature, Timestamp, wordsOf } from './values.ts';

/** Period in which the message can land: while the nonce has this value, or for about 150 blocks. */
const Lifetime = Type.Union([
  Type.Object({ kind: Type.Literal('durable-nonce'), nonceAccount: Address, nonceValue: Address }),
  Type.Object({
    kind: Type.Literal('recent-blockhash'),
    blockhash: Address,
    /** No block above this height can contain it. */
    lastValidBlockHeight: Amount,
  }),
]);

export type Lifetime = Static<typeof Lifetime>;
export type DurableNonce = Extract<Lifetime, { kind: 'durable-nonce' }>;

/** `TRANSACTION_NOT_SHOWN`: listed and not shown; `TRANSACTION_NOT_FOUND`: accounts say that it, or another, has landed. */
export const UnknownOutcomeCode = wordsOf('UnknownOutcomeCode', [
  'TRANSACTION_NOT_SHOWN',
  'TRANSACTION_NOT_FOUND',
]);

export const ConcludedOutcome = wordsOf('ConcludedOutcome', ['landed', 'not-landed']);

export const CheckedBy = wordsOf('CheckedBy', ['transaction', 'signature', 'account', 'operator'], {
  description:
    'Evidence for the conclusion: `transaction`, the node shows it; `account`, the account that it creates ' +
    'exists, or does not; `signature`, the payer has signed the message with it; `operator`, none.',
  examples: ['transaction'],
});

export const draftEvents = {
  /** The claims for this draft lapsed before it was recorded; a process that still tries to record it is refused. */
  DraftAbandoned: Type.Object({ transactionId: Uuid }),
  DraftIssued: Type.Object({
    transactionId: Uuid,
    creator: Address,
    /** The legacy message that is to be signed. */
    message: Base64,
    lifetime: Lifetime,
    /** Lamports that the creator will pay. */
    cost: Amount,
    /** On a recent blockhash: about when its last valid block height is reached. */
    expiresAt: Timestamp,
    subject: DraftSubject,
  }),
  DraftSuperseded: Type.Object({ transactionId: Uuid, by: Uuid }),
  DraftExpired: Type.Object({ transactionId: Uuid }),
  /** Cancelled by its creator. A launch, which its creator can send without the service, may still land. */
  DraftCancelled: Type.Object({ transactionId: Uuid }),
  /** From here on the service is responsible for the transaction: recorded before the first byte is sent. */
  SubmissionAccepted: Type.Object({
    transactionId: Uuid,
    signature: Signature,
    signedTransaction: Base64,
    /** If it has not landed by then, the service makes sure that it never will. */
    deadline: Timestamp,
    /** The service signed it after this slot: no earlier block can hold it. Absent for launches, which it signs when it issues them. */
    afterSlot: Type.Optional(Amount),
  }),
  /** The deadline has passed: this advance consumes the same nonce value, and is sent until the value is consumed. */
  SubmissionOverdue: Type.Object({
    transactionId: Uuid,
    advanceSignature: Signature,
    advanceTransaction: Base64,
  }),
  SubmissionConfirmed: Type.Object({ transactionId: Uuid, signature: Signature, slot: Amount }),
  /** A fork took back the confirmed transaction; the nonce value is unspent again and sending continues. */
  SubmissionDropped: Type.Object({ transactionId: Uuid }),
  /** More transactions name the account by which its outcome is searched than its own life makes: the search is slow. */
  DraftHistoryFlooded: Type.Object({
    transactionId: Uuid,
    address: Address,
    /** Transactions that were found by then. */
    listed: Type.Integer({ minimum: 0, examples: [1_001] }),
  }),
  /** All evidence of its outcome has been read for minutes without a result: an operator may look it up and conclude it. */
  DraftOutcomeUnknown: Type.Object({
    transactionId: Uuid,
    code: UnknownOutcomeCode,
    /** The account whose history was read. */
    address: Address,
    /** Some of the transactions that the node lists in it and does not show. */
    signatures: Type.Array(Signature),
  }),
  /** An operator looked its outcome up. The next event of the stream, recorded with this one, is that outcome. */
  DraftConcluded: Type.Object({
    transactionId: Uuid,
    outcome: ConcludedOutcome,
    /** Null where it has not landed. */
    signature: orNull(Signature),
    checked: CheckedBy,
    reason: Type.String(),
    by: Type.String(),
  }),
  SubmissionFinalized: Type.Object({ transactionId: Uuid, signature: Signature, slot: Amount }),
  SubmissionFailed: Type.Object({
    transactionId: Uuid,
    code: Type.Union([Type.Literal('CHAIN_REJECTED'), Type.Literal('TRANSACTION_EXPIRED')]),
    message: Type.String(),
    logs: Type.Array(Type.String()),
  }),
};

export type DraftEvent = EventOf<typeof draftEvents>;

export const {
  DraftAbandoned,
  DraftIssued,
  DraftSuperseded,
  DraftExpired,
  DraftCancelled,
  SubmissionAccepted,
  SubmissionOverdue,
  SubmissionConfirmed,
  SubmissionDropped,
  DraftHistoryFlooded,
  DraftOutcomeUnknown,
  DraftConcluded,
  SubmissionFinalized,
  SubmissionFailed,
} = constructorsOf(draftEvents);
export type IssuedDraft = Static<typeof draftEvents.DraftIssued>;
export type AcceptedSubmission = Static<typeof draftEvents.SubmissionAccepted>;
export type OverdueSubmission = Static<typeof draftEvents.SubmissionOverdue>;
export type LandedSubmission = Static<typeof draftEvents.SubmissionConfirmed>;
export type FloodedHistory = Static<typeof draftEvents.DraftHistoryFlooded>;
export type UnknownOutcome = Static<typeof draftEvents.DraftOutcomeUnknown>;
export type Conclusion = Static<typeof draftEvents.DraftConcluded>;
export type FailedSubmission = Static<typeof draftEvents.SubmissionFailed>;

/** The draft's nonce; undefined for a draft on a recent blockhash. */
export function nonceOf({ lifetime }: Pick<IssuedDraft, 'lifetime'>): DurableNonce | undefined {
  return lifetime.kind === 'durable-nonce' ? lifetime : undefined;
}
