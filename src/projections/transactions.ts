/** Projection with one document per draft: its state for its owner, and the remaining work of the service. */
import type { Handler } from '../kernel/runtime/define-projection.ts';
import {
  type Conclusion,
  type FailedSubmission,
  type IssuedDraft,
  nonceOf,
  type UnknownOutcome,
} from '../streams/draft-events.ts';
import type { DraftOnRecord } from '../streams/draft-state.ts';
import type { LevyEvent } from '../streams/index.ts';
import {
  isDue,
  type RecordingType,
  type RevertingType,
  recordingTypes,
  revertingTypes,
} from '../streams/purposes/index.ts';
import { defineProjection } from './levy-projection.ts';

export type TransactionDocument = {
  readonly transactionId: string;
  readonly status: DraftOnRecord['status'];
  readonly issued: IssuedDraft;
  /** Signature with which the transaction landed, else with which it was accepted; one message can have several signatures. */
  readonly signature: string | null;
  readonly acceptedSignature: string | null;
  readonly failure: FailedSubmission | null;
  readonly createdAt: string;
  readonly cancelledAt?: string;
  readonly acceptedAt: string | null;
  /** Time until which an accepted transaction is resent. */
  readonly deadline: string | null;
  /** Time from which the service prevents a later landing. */
  readonly overdueSince: string | null;
  readonly settledAt: string | null;
  /** Start of the search for the outcome in a flooded history. */
  readonly floodedSince?: string;
  /** Start and reason of an unknown outcome. */
  readonly unknownOutcome?: { readonly since: string; readonly signatures: readonly string[] } & Pick<
    UnknownOutcome,
    'code' | 'address'
  >;
  /** Conclusion by an operator. */
  readonly conclusion?: { readonly at: string } & Omit<Conclusion, 'transactionId'>;
  /** True if the effect of the draft has been recorded. */
  readonly recorded: boolean;
};

/** Next work on a draft; the index `work` finds drafts by it. */
export type Work = 'settle' | 'record' | 'revert';

const draftId = (event: { readonly data: { readonly transactionId: string } }): string =>
  event.data.transactionId;

export const transactions = defineProjection<TransactionDocument>({
  name: 'transactions',
  // Adding a purpose does not require a new version, since no event of it was recorded before.
  version: 1,
  indexes: {
    work: workOf,
    status: ({ status }) => [status],
    /** Transactions whose outcome is searched in a flooded history. */
    flooded: ({ floodedSince }) => (floodedSince === undefined ? [] : ['searched']),
    /** Drafts whose outcome the chain does not show. */
    unknown: ({ unknownOutcome }) => (unknownOutcome === undefined ? [] : ['unknown']),
    /** Drafts that wait for the creator's signature, by creator; without launches. */
    open: ({ status, issued: { subject, creator } }) =>
      status === 'open' && subject.kind !== 'launch' ? [creator] : [],
    /** Drafts by creator, and by creator and state; see `valuesOfOwner`. */
    owner: valuesOfOwner,
    /** Living token creations, by the mint that they create. */
    mint: ({ status, issued: { subject } }) =>
      isAlive(status) && subject.kind === 'token-creation' ? [subject.mintAddress] : [],
    /** Launches, by the mint that they launch. */
    launch: ({ issued: { subject } }) => (subject.kind === 'launch' ? [subject.mintAddress] : []),
    /** Launches that have landed or still may, by the mint that they launch. */
    livingLaunch: ({ status, issued: { subject } }) =>
      (isAlive(status) || status === 'cancelled') && subject.kind === 'launch' ? [subject.mintAddress] : [],
  },
  on: {
    DraftIssued: {
      key: draftId,
      apply: (_none, event) => ({
        transactionId: event.data.transactionId,
        status: 'open',
        issued: event.data,
        signature: null,
        acceptedSignature: null,
        failure: null,
        createdAt: event.metadata.occurredAt,
        acceptedAt: null,
        deadline: null,
        overdueSince: null,
        settledAt: null,
        recorded: false,
      }),
    },
    DraftSuperseded: {
      key: draftId,
      apply: (document) => document && { ...document, status: 'superseded' },
    },
    DraftExpired: {
      key: draftId,
      apply: (document) => document && { ...withoutSearch(document), status: 'expired' },
    },
    DraftCancelled: {
      key: draftId,
      apply: (document, event) =>
        document && { ...document, status: 'cancelled', cancelledAt: event.metadata.occurredAt },
    },
    SubmissionAccepted: {
      key: draftId,
      apply: (document, event) =>
        document && {
          ...document,
          status: 'submitted',
          signature: event.data.signature,
          acceptedSignature: event.data.signature,
          acceptedAt: event.metadata.occurredAt,
          deadline: event.data.deadline,
        },
    },
    SubmissionOverdue: {
      key: draftId,
      apply: (document, event) => document && { ...document, overdueSince: event.metadata.occurredAt },
    },
    SubmissionConfirmed: {
      key: draftId,
      apply: (document, event) =>
        document && {
          ...document,
          status: 'confirmed',
          signature: event.data.signature,
          settledAt: event.metadata.occurredAt,
        },
    },
    SubmissionDropped: {
      key: draftId,
      apply: (document) =>
        document && {
          ...document,
          status: statusOnceDropped(document),
          signature: document.acceptedSignature,
          settledAt: null,
        },
    },
    DraftHistoryFlooded: {
      key: draftId,
      apply: (document, event) => document && { ...document, floodedSince: event.metadata.occurredAt },
    },
    DraftOutcomeUnknown: {
      key: draftId,
      apply: (document, { data: { code, address, signatures }, metadata: { occurredAt } }) =>
        document && { ...document, unknownOutcome: { since: occurredAt, code, address, signatures } },
    },
    DraftConcluded: {
      key: draftId,
      apply: (document, { data: { transactionId: _own, ...conclusion }, metadata: { occurredAt } }) =>
        document && { ...document, conclusion: { at: occurredAt, ...conclusion } },
    },
    SubmissionFinalized: {
      key: draftId,
      apply: (document, event) =>
        document && {
          ...withoutSearch(document),
          status: 'finalized',
          signature: event.data.signature,
          // Without an earlier observation, finality is the first evidence that the transaction landed.
          settledAt: document.settledAt ?? event.metadata.occurredAt,
        },
    },
    SubmissionFailed: {
      key: draftId,
      apply: (document, event) =>
        document && {
          ...withoutSearch(document),
          status: 'failed',
          failure: event.data,
          settledAt: event.metadata.occurredAt,
        },
    },
    ...marked(recordingTypes, true),
    ...marked(revertingTypes, false),
  },
});

/** Event that records the effect of a draft, or reverts it. */
type FulfilmentEvent = Extract<LevyEvent, { readonly type: RecordingType | RevertingType }>;

/** Handlers that mark the draft of the event as recorded or not. */
function marked<Type extends FulfilmentEvent['type']>(
  types: readonly Type[],
  recorded: boolean,
): { readonly [Each in Type]: Handler<TransactionDocument, FulfilmentEvent> } {
  const handler: Handler<TransactionDocument, FulfilmentEvent> = {
    key: ({ data }) => data.transactionId ?? [],
    apply: (document) => document && { ...document, recorded },
  };
  return Object.fromEntries(types.map((type) => [type, handler])) as ReturnType<typeof marked<Type>>;
}

function withoutSearch({
  floodedSince: _over,
  unknownOutcome: _known,
  ...document
}: TransactionDocument): TransactionDocument {
  return document;
}

function workOf({ status, issued, recorded }: TransactionDocument): readonly Work[] {
  const work: Work[] = [];
  if (isToSettle(status, issued)) work.push('settle');
  if (isDue(status, issued.subject.kind) && !recorded) work.push('record');
  if (status === 'failed' && recorded) work.push('revert');
  return work;
}

/**
 * True for drafts that the settler observes. Clients send launches themselves; other open drafts on a recent blockhash have no
 * nonce account whose lease would end them.
 */
function isToSettle(status: TransactionDocument['status'], issued: IssuedDraft): boolean {
  switch (status) {
    case 'submitted':
    case 'confirmed':
      return true;
    case 'open':
      return nonceOf(issued) === undefined;
    case 'cancelled':
      return issued.subject.kind === 'launch';
    default:
      return false;
  }
}

function isAlive(status: TransactionDocument['status']): boolean {
  return status === 'open' || status === 'submitted' || status === 'confirmed' || status === 'finalized';
}

/**
 * Status after a fork dropped the transaction. If the service never accepted it, the draft returns to the status
 * before its creator sent it.
 */
function statusOnceDropped({
  acceptedSignature,
  cancelledAt,
}: TransactionDocument): TransactionDocument['status'] {
  if (acceptedSignature !== null) return 'submitted';
  return cancelledAt === undefined ? 'open' : 'cancelled';
}

/**
 * Value of the index `owner` for a creator's drafts that are, or may be, in a state of the owner's view. An open draft is also
 * indexed as expired, because it expires without an event.
 */
export function ownedIn(creator: string, state: OwnerState): string {
  return `${creator}/${state}`;
}

function valuesOfOwner(document: TransactionDocument): readonly string[] {
  const { creator } = document.issued;
  const told = ownerStateOf(document);
  const states: readonly OwnerState[] = told === 'awaiting_signature' ? [told, 'expired'] : [told];
  return [creator, ...states.map((state) => ownedIn(creator, state))];
}

/** States of a draft in its owner's view. */
export const OWNER_STATES = [
  'awaiting_signature',
  'submitted',
  'confirmed',
  'failed',
  'expired',
  'cancelled',
] as const;
export type OwnerState = (typeof OWNER_STATES)[number];

export function ownerStateOf({
  status,
  cancelledAt,
}: Pick<TransactionDocument, 'status' | 'cancelledAt'>): OwnerState {
  switch (status) {
    case 'open':
      return 'awaiting_signature';
    case 'expired':
      return cancelledAt === undefined ? 'expired' : 'cancelled';
    case 'superseded':
      return 'expired';
    case 'finalized':
      return 'confirmed';
    default:
      return status;
  }
}
