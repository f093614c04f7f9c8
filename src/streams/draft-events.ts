/** Events of a draft, from its issue to its outcome on the chain. */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { DraftSubject } from './purposes/index.ts';
import { Address, Amount, Base64, enumOf, orNull, Signature, Timestamp } from './value-types.ts';

/** Period in which the message can land: while the nonce has this value, or for about 150 blocks. */
const Lifetime = Type.Union([
  Type.Object({ kind: Type.Literal('durable-nonce'), nonceAccount: Address, nonceValue: Address }),
  Type.Object({
    kind: Type.Literal('recent-blockhash'),
    blockhash: Address,
    /** Height of the last block that can contain the transaction. */
    lastValidBlockHeight: Amount,
  }),
]);

export type Lifetime = Static<typeof Lifetime>;
export type DurableNonce = Extract<Lifetime, { kind: 'durable-nonce' }>;

/**
 * `TRANSACTION_NOT_SHOWN`: listed but not returned. `TRANSACTION_NOT_FOUND`: accounts show that this or another one has landed.
 */
export const UnknownOutcomeCode = enumOf('UnknownOutcomeCode', [
  'TRANSACTION_NOT_SHOWN',
  'TRANSACTION_NOT_FOUND',
]);

export const ConcludedOutcome = enumOf('ConcludedOutcome', ['landed', 'not-landed']);

export const CheckedBy = enumOf('CheckedBy', ['transaction', 'signature', 'account', 'operator'], {
  description:
    'Evidence for the conclusion. `transaction`: the node returned the transaction; `account`: the account that the ' +
    'transaction creates exists, or does not; `signature`: the payer signed the message with it; `operator`: none.',
  examples: ['transaction'],
});

export const draftEvents = {
  /** The claims for this draft lapsed before it was recorded; a later attempt to record it is refused. */
  DraftAbandoned: Type.Object({ transactionId: Uuid }),
  DraftIssued: Type.Object({
    transactionId: Uuid,
    creator: Address,
    /** Legacy message to be signed. */
    message: Base64,
    lifetime: Lifetime,
    /** Lamports that the creator will pay. */
    cost: Amount,
    /** On a recent blockhash: estimated time of its last valid block height. */
    expiresAt: Timestamp,
    subject: DraftSubject,
  }),
  DraftSuperseded: Type.Object({ transactionId: Uuid, by: Uuid }),
  DraftExpired: Type.Object({ transactionId: Uuid }),
  /** Cancelled by its creator. A launch may still land, because its creator can send it without the service. */
  DraftCancelled: Type.Object({ transactionId: Uuid }),
  /** The service becomes responsible for the transaction. Recorded before the first byte is sent. */
  SubmissionAccepted: Type.Object({
    transactionId: Uuid,
    signature: Signature,
    signedTransaction: Base64,
    /** Time after which the service permanently invalidates a transaction that has not landed. */
    deadline: Timestamp,
    /**
     * Slot after which the service signed: no block up to it can contain the transaction. Absent for launches, signed when
     * issued.
     */
    afterSlot: Type.Optional(Amount),
  }),
  /** The deadline has passed: the advance consumes the same nonce value, and is sent until the value is consumed. */
  SubmissionOverdue: Type.Object({
    transactionId: Uuid,
    advanceSignature: Signature,
    advanceTransaction: Base64,
  }),
  SubmissionConfirmed: Type.Object({ transactionId: Uuid, signature: Signature, slot: Amount }),
  /** A fork dropped the confirmed transaction; the nonce value is unspent again and sending continues. */
  SubmissionDropped: Type.Object({ transactionId: Uuid }),
  /** Others have named the account in so many transactions that searching the outcome in its history is slow. */
  DraftHistoryFlooded: Type.Object({
    transactionId: Uuid,
    address: Address,
    /** Number of transactions found so far. */
    listed: Type.Integer({ minimum: 0, examples: [1_001] }),
  }),
  /** All evidence was read for minutes without a result: an operator may determine the outcome and conclude the draft. */
  DraftOutcomeUnknown: Type.Object({
    transactionId: Uuid,
    code: UnknownOutcomeCode,
    /** The account whose history was read. */
    address: Address,
    /** Some of the transactions that the node lists but does not return. */
    signatures: Type.Array(Signature),
  }),
  /** An operator determined the outcome, which is the next event of the stream, recorded together with this one. */
  DraftConcluded: Type.Object({
    transactionId: Uuid,
    outcome: ConcludedOutcome,
    /** Null if the transaction has not landed. */
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
