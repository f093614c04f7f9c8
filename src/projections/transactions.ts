/** One document per draft: its state for its owner, and the work that the service still has with it. */
import type { Handler } from '../runtime/define-projection.ts';
import type { DraftStatus, FailedSubmission, IssuedDraft } from '../streams/draft.ts';
import type { LevyEvent } from '../streams/index.ts';
import {
  isDue,
  purposes,
  type RecordingType,
  type RevertingType,
  recordingTypes,
  revertingTypes,
} from '../streams/purposes/index.ts';
import { defineProjection } from './define-projection.ts';

export type TransactionDocument = {
  readonly transactionId: string;
  readonly status: Exclude<DraftStatus, 'absent'>;
  readonly issued: IssuedDraft;
  /** The one it landed with, else the one it was accepted with: the same message can be signed differently. */
  readonly signature: string | null;
  readonly acceptedSignature: string | null;
  readonly failure: FailedSubmission | null;
  readonly createdAt: string;
  readonly acceptedAt: string | null;
  /** An accepted transaction is sent until then, and given up afterwards. */
  readonly deadline: string | null;
  /** When it was given up and the service began to make sure that it never lands. */
  readonly overdueSince: string | null;
  readonly settledAt: string | null;
  /** Whether the result that the draft was for has been recorded. */
  readonly recorded: boolean;
};

/**
 * The next work on a draft; the index `work` finds drafts by it. `settle`: an accepted one on a durable nonce, `watch`:
 * any living one on a recent blockhash, since clients send those themselves.
 */
export type Work = 'settle' | 'watch' | 'record' | 'revert';

const draftId = (event: { readonly data: { readonly transactionId: string } }): string =>
  event.data.transactionId;

export const transactions = defineProjection<TransactionDocument>({
  name: 'transactions',
  // Folds the events of every purpose: each purpose since the fourth has raised the version.
  version: purposes.length - 2,
  indexes: {
    work: workOf,
    status: ({ status }) => [status],
    /** Drafts on a nonce that wait for the creator's signature, by creator. */
    open: ({ status, issued: { lifetime, creator } }) =>
      status === 'open' && lifetime.kind === 'durable-nonce' ? [creator] : [],
    /** Living creations, by the mint that they create. */
    mint: ({ status, issued: { subject } }) =>
      isAlive(status) && subject.kind === 'token-creation' ? [subject.mintAddress] : [],
    /** Launches, by the mint that they launch. */
    launch: ({ issued: { subject } }) => (subject.kind === 'launch' ? [subject.mintAddress] : []),
    /** Launches that have landed or still may, by the mint that they launch. */
    livingLaunch: ({ status, issued: { subject } }) =>
      isAlive(status) && subject.kind === 'launch' ? [subject.mintAddress] : [],
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
      apply: (document) => document && { ...document, status: 'expired' },
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
          status: document.acceptedSignature === null ? 'open' : 'submitted',
          signature: document.acceptedSignature,
          settledAt: null,
        },
    },
    SubmissionFinalized: {
      key: draftId,
      apply: (document, event) =>
        document && {
          ...document,
          status: 'finalized',
          signature: event.data.signature,
          // Without an earlier observation, finality is the first sign that it landed.
          settledAt: document.settledAt ?? event.metadata.occurredAt,
        },
    },
    SubmissionFailed: {
      key: draftId,
      apply: (document, event) =>
        document && {
          ...document,
          status: 'failed',
          failure: event.data,
          settledAt: event.metadata.occurredAt,
        },
    },
    ...marked(recordingTypes, true),
    ...marked(revertingTypes, false),
  },
});

/** An event that records what a draft was for, or reverts it. */
type FulfilmentEvent = Extract<LevyEvent, { readonly type: RecordingType | RevertingType }>;

/** The handlers of such events: each marks the draft it names as recorded or not. */
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

function workOf({ status, issued, recorded }: TransactionDocument): readonly Work[] {
  const work: Work[] = [];
  const isUnderWay = status === 'submitted' || status === 'confirmed';
  if (issued.lifetime.kind === 'recent-blockhash') {
    if (status === 'open' || isUnderWay) work.push('watch');
  } else if (isUnderWay) {
    work.push('settle');
  }
  if (isDue(status, issued.subject.kind) && !recorded) work.push('record');
  if (status === 'failed' && recorded) work.push('revert');
  return work;
}

function isAlive(status: TransactionDocument['status']): boolean {
  return status === 'open' || status === 'submitted' || status === 'confirmed' || status === 'finalized';
}
