/** One document per draft: what its owner may ask about it, and what work it still gives the service. */
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
  /** That it landed under, or else that it was accepted with: the same message can be signed differently. */
  readonly signature: string | null;
  readonly acceptedSignature: string | null;
  readonly failure: FailedSubmission | null;
  readonly createdAt: string;
  readonly acceptedAt: string | null;
  /** Until when an accepted transaction is sent before it is given up. */
  readonly deadline: string | null;
  /** When it was given up, and what makes sure that it never lands began. */
  readonly overdueSince: string | null;
  readonly settledAt: string | null;
  /** Whether what it is for has been recorded. */
  readonly recorded: boolean;
};

/**
 * What is to be done about a draft; the index `work` finds drafts by it. `settle`: an accepted one on a durable nonce,
 * `watch`: any living one on a recent blockhash, since clients send those by themselves.
 */
export type Work = 'settle' | 'watch' | 'record' | 'revert';

const draftId = (event: { readonly data: { readonly transactionId: string } }): string =>
  event.data.transactionId;

export const transactions = defineProjection<TransactionDocument>({
  name: 'transactions',
  // It folds the events of every purpose: each purpose since the fourth has made a version.
  version: purposes.length - 2,
  indexes: {
    work: workOf,
    status: ({ status }) => [status],
    /** Drafts that wait for the creator's signature and hold a nonce meanwhile, by creator. */
    open: ({ status, issued: { lifetime, creator } }) =>
      status === 'open' && lifetime.kind === 'durable-nonce' ? [creator] : [],
    /** Creations that live, by the mint that they create. */
    mint: ({ status, issued: { subject } }) =>
      isAlive(status) && subject.kind === 'token-creation' ? [subject.mintAddress] : [],
    /** Launches, by the mint that they launch. */
    launch: ({ issued: { subject } }) => (subject.kind === 'launch' ? [subject.mintAddress] : []),
    /** Launches that may still land, or have, by the mint that they launch. */
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
          // Without a look in between, finality is the first that is seen of it.
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

/** An event that records what a draft was for, or takes that back. */
type FulfilmentEvent = Extract<LevyEvent, { readonly type: RecordingType | RevertingType }>;

/** The handlers of such events: each notes whether what the draft was for is recorded, in the draft that it names. */
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
