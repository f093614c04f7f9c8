/**
 * One stream per unsigned transaction that the service issued: from its issue through the submission to its outcome on
 * the chain. All purposes share this life cycle; what a draft is for is its `subject`.
 */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../runtime/define-stream.ts';
import { DraftSubject, purposes } from './purposes/index.ts';
import { Address, Amount, Base64, Signature, Timestamp, Uuid } from './values.ts';

const RecentBlockhash = Type.Object({
  kind: Type.Literal('recent-blockhash'),
  blockhash: Address,
  /** No block above this height can contain it. */
  lastValidBlockHeight: Amount,
});

/** How long the message can land: while the nonce has this value, or for about 150 blocks. */
const Lifetime = Type.Union([
  Type.Object({ kind: Type.Literal('durable-nonce'), nonceAccount: Address, nonceValue: Address }),
  RecentBlockhash,
]);

export type Lifetime = Static<typeof Lifetime>;
export type DurableNonce = Extract<Lifetime, { kind: 'durable-nonce' }>;

/** When the blockhash of a message that can be refreshed is over, by the slots of then; absent where nobody knew their length. */
const BytesExpireAt = Type.Optional(Timestamp);

/** `TRANSACTION_NOT_SHOWN`: listed and not shown; `TRANSACTION_NOT_FOUND`: accounts say that it, or another, has landed. */
export const UnknownOutcomeCode = Type.Union([
  Type.Literal('TRANSACTION_NOT_SHOWN'),
  Type.Literal('TRANSACTION_NOT_FOUND'),
]);

export const ConcludedOutcome = Type.Union([Type.Literal('landed'), Type.Literal('not-landed')]);

export const CheckedBy = Type.Union(
  [Type.Literal('transaction'), Type.Literal('signature'), Type.Literal('account'), Type.Literal('operator')],
  {
    description:
      'What bears out the operator: `transaction`, the node shows it; `account`, what the transaction makes is there, or is not; ' +
      '`signature`, the payer has signed the message with it; `operator`, nothing else.',
    examples: ['transaction'],
  },
);

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
    expiresAt: Timestamp,
    bytesExpireAt: BytesExpireAt,
    subject: DraftSubject,
  }),
  /** The same instructions on a later blockhash. The service has not signed the message before, or that is over. */
  DraftRefreshed: Type.Object({
    transactionId: Uuid,
    /** The issued message is version 1. */
    version: Type.Integer({ minimum: 2 }),
    message: Base64,
    lifetime: RecentBlockhash,
    bytesExpireAt: BytesExpireAt,
  }),
  DraftSuperseded: Type.Object({ transactionId: Uuid, by: Uuid }),
  DraftExpired: Type.Object({ transactionId: Uuid }),
  /** Its creator gave it up. A launch, which its creator can send without the service, may land all the same. */
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
  /** Its blockhash was over by this final block, and it had not landed: the draft can be refreshed and signed again. */
  SubmissionLapsed: Type.Object({ transactionId: Uuid, signature: Signature, finalizedHeight: Amount }),
  /** More transactions name the account by which its outcome is searched than its own life makes: the search is slow. */
  DraftHistoryFlooded: Type.Object({
    transactionId: Uuid,
    address: Address,
    /** Transactions that were found by then. */
    listed: Type.Integer({ minimum: 0, examples: [1_001] }),
  }),
  /** For minutes, all that could tell its outcome was read, and nothing tells it: an operator may look it up and conclude it. */
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
    signature: Type.Union([Signature, Type.Null()]),
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
  DraftRefreshed,
  DraftSuperseded,
  DraftExpired,
  DraftCancelled,
  SubmissionAccepted,
  SubmissionOverdue,
  SubmissionConfirmed,
  SubmissionDropped,
  SubmissionLapsed,
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

/**
 * Whether its message can be made anew on a later blockhash: nothing of it is signed by the service before it is
 * submitted. A launch is, since its creator sends it.
 */
export function isRefreshable({ lifetime, subject }: Pick<IssuedDraft, 'lifetime' | 'subject'>): boolean {
  return lifetime.kind === 'recent-blockhash' && subject.kind !== 'launch';
}

type RefreshedDraft = Static<typeof draftEvents.DraftRefreshed>;

/** The draft with a later version of its message. */
export function refreshedDraft(
  { bytesExpireAt: _former, ...issued }: IssuedDraft,
  { message, lifetime, bytesExpireAt }: RefreshedDraft,
): IssuedDraft {
  return { ...issued, message, lifetime, ...(bytesExpireAt !== undefined && { bytesExpireAt }) };
}

export type DraftStatus =
  | 'absent'
  | 'open'
  | 'superseded'
  | 'expired'
  | 'cancelled'
  | 'submitted'
  | 'confirmed'
  | 'finalized'
  | 'failed';

/** Accepted, or landed without the service: clients may send transactions themselves. */
export function isUnderWay({ accepted, landed }: DraftState): boolean {
  return accepted !== undefined || landed !== undefined;
}

export interface DraftState {
  readonly status: DraftStatus;
  /** How often claims for it lapsed. A recording that was prepared at another count is refused. */
  readonly abandonments: number;
  /** Whether its creator cancelled it, whatever became of it then. */
  readonly cancelled: boolean;
  /** With the latest version of its message. */
  readonly issued: IssuedDraft | undefined;
  /** The number of that version; 0 while it is absent. */
  readonly version: number;
  /** The blockhashes of earlier versions. */
  readonly formerBlockhashes: readonly string[];
  /** The submission of the latest version, once it can no longer land. */
  readonly lapsed: AcceptedSubmission | undefined;
  /** Whether a draft that can be refreshed was ever seen to have landed: what it was for may be recorded. */
  readonly wasConfirmed: boolean;
  readonly accepted: AcceptedSubmission | undefined;
  readonly overdue: OverdueSubmission | undefined;
  readonly landed: LandedSubmission | undefined;
  readonly failed: FailedSubmission | undefined;
  /** While its outcome is searched in a history that somebody has flooded. */
  readonly flooded: FloodedHistory | undefined;
  /** While nothing on the chain tells its outcome. */
  readonly unknown: UnknownOutcome | undefined;
  /** By an operator. */
  readonly concluded: Conclusion | undefined;
}

const ABSENT: DraftState = {
  status: 'absent',
  abandonments: 0,
  cancelled: false,
  issued: undefined,
  version: 0,
  formerBlockhashes: [],
  lapsed: undefined,
  wasConfirmed: false,
  accepted: undefined,
  overdue: undefined,
  landed: undefined,
  failed: undefined,
  flooded: undefined,
  unknown: undefined,
  concluded: undefined,
};

const NOT_SEARCHED = { flooded: undefined, unknown: undefined } as const;

export const draft = defineStream({
  category: 'draft',
  events: draftEvents,
  internal: {
    DraftAbandoned: 'Drafts are between a creator and the service.',
    DraftIssued: 'Drafts are between a creator and the service.',
    DraftRefreshed: 'Drafts are between a creator and the service.',
    DraftSuperseded: 'Drafts are between a creator and the service.',
    DraftExpired: 'Drafts are between a creator and the service.',
    DraftCancelled: 'Drafts are between a creator and the service.',
    DraftHistoryFlooded: 'Drafts are between a creator and the service.',
    DraftOutcomeUnknown: 'Drafts are between a creator and the service.',
    DraftConcluded: 'The outcome that follows it is told.',
  },
  // Each purpose since the fourth has added a form of `subject`, which is a version of its own, and `bytesExpireAt` has;
  // older data fits it.
  // An acceptance has told its slot since its second version.
  versions: { DraftIssued: purposes.length - 1, SubmissionAccepted: 2 },
  upcasts: {
    DraftIssued: {
      // Every draft once had a durable nonce, in two members of its own. For a while after that changed, events were
      // still recorded as version 1.
      1: {
        data: ({ nonceAccount, nonceValue, ...data }) =>
          nonceAccount === undefined || nonceValue === undefined
            ? data
            : { ...data, lifetime: { kind: 'durable-nonce', nonceAccount, nonceValue } },
      },
    },
  },
  initial: ABSENT,
  evolve(state, event): DraftState {
    switch (event.type) {
      case 'DraftAbandoned':
        return { ...state, abandonments: state.abandonments + 1 };
      case 'DraftIssued':
        return { ...state, status: 'open', issued: event.data, version: 1 };
      case 'DraftRefreshed':
        return refreshed(state, event.data);
      case 'DraftSuperseded':
        return { ...state, status: 'superseded' };
      case 'DraftExpired':
        return { ...state, status: 'expired', ...NOT_SEARCHED };
      case 'DraftCancelled':
        return { ...state, status: 'cancelled', cancelled: true };
      case 'SubmissionAccepted':
        return { ...state, status: 'submitted', accepted: event.data };
      case 'SubmissionOverdue':
        return { ...state, overdue: event.data };
      case 'SubmissionConfirmed':
        return {
          ...state,
          status: 'confirmed',
          landed: event.data,
          wasConfirmed: state.issued !== undefined && isRefreshable(state.issued),
        };
      case 'SubmissionDropped':
        return { ...state, status: statusOnceDropped(state), landed: undefined };
      case 'SubmissionLapsed':
        return { ...state, status: 'open', accepted: undefined, lapsed: state.accepted, ...NOT_SEARCHED };
      case 'DraftHistoryFlooded':
        return { ...state, flooded: event.data };
      case 'DraftOutcomeUnknown':
        return { ...state, unknown: event.data };
      case 'DraftConcluded':
        return { ...state, concluded: event.data };
      case 'SubmissionFinalized':
        return { ...state, status: 'finalized', landed: event.data, ...NOT_SEARCHED };
      case 'SubmissionFailed':
        return { ...state, status: 'failed', landed: undefined, failed: event.data, ...NOT_SEARCHED };
    }
  },
});

/** A transaction that its creator sent directly is again only waited for. */
function statusOnceDropped({ accepted, cancelled }: DraftState): DraftStatus {
  if (accepted !== undefined) return 'submitted';
  return cancelled ? 'cancelled' : 'open';
}

function refreshed(state: DraftState, data: RefreshedDraft): DraftState {
  const { issued, formerBlockhashes } = state;
  if (issued === undefined) return state;
  const { lifetime } = issued;
  return {
    ...state,
    issued: refreshedDraft(issued, data),
    version: data.version,
    formerBlockhashes:
      lifetime.kind === 'recent-blockhash' ? [...formerBlockhashes, lifetime.blockhash] : formerBlockhashes,
    lapsed: undefined,
  };
}
