/** One document per draft: what its owner may ask about it, and what work it still gives the service. */
import type { DraftStatus, FailedSubmission, IssuedDraft } from '../streams/draft.ts';
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
  readonly settledAt: string | null;
  /** Whether the token that it creates has been recorded. */
  readonly recorded: boolean;
};

/** What the settler has to do about a draft; the index `work` finds drafts by it. */
export type Work = 'settle' | 'record' | 'revert';

const draftId = (event: { readonly data: { readonly transactionId: string } }): string =>
  event.data.transactionId;

export const transactions = defineProjection<TransactionDocument>({
  name: 'transactions',
  version: 1,
  indexes: {
    work: workOf,
    /** Drafts that wait for the creator's signature, by creator. */
    open: (document) => (document.status === 'open' ? [document.issued.creator] : []),
    /** Drafts that live, by the mint that they create. */
    mint: (document) => (isAlive(document.status) ? [document.issued.subject.mintAddress] : []),
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
        },
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
          status: 'submitted',
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
          // Finality is the first that is seen of it when nobody looked in between.
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
    TokenCreated: {
      key: draftId,
      apply: (document) => document && { ...document, recorded: true },
    },
    TokenCreationReverted: {
      key: draftId,
      apply: (document) => document && { ...document, recorded: false },
    },
  },
});

function workOf({ status, recorded }: TransactionDocument): readonly Work[] {
  const work: Work[] = [];
  if (status === 'submitted' || status === 'confirmed') work.push('settle');
  if ((status === 'confirmed' || status === 'finalized') && !recorded) work.push('record');
  if (status === 'failed' && recorded) work.push('revert');
  return work;
}

function isAlive(status: TransactionDocument['status']): boolean {
  return status === 'open' || status === 'submitted' || status === 'confirmed' || status === 'finalized';
}
