// The life of a draft: which event leads from which state to which.
import { describe, expect, test } from 'vitest';
import {
  DraftAbandoned,
  DraftCancelled,
  type DraftEvent,
  DraftExpired,
  DraftSuperseded,
  draft,
  SubmissionDropped,
} from '../../../src/streams/draft.ts';
import {
  acceptedSubmission,
  draftIssued,
  ids,
  issuedDraft,
  landedSubmission,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
  submissionOverdue,
} from '../../support/domain-examples.ts';

const { transactionId } = ids;
const abandoned = DraftAbandoned({ transactionId });
const dropped = SubmissionDropped({ transactionId });
const stateAfter = (...events: readonly DraftEvent[]) => events.reduce(draft.evolve, draft.initial);
const accepted = [draftIssued, submissionAccepted] as const;

describe('a draft', () => {
  test('is absent before anything happened', () => {
    expect(stateAfter()).toEqual({
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
    });
  });

  test('that was given up before it was issued is still absent, and counts how often', () => {
    expect(stateAfter(abandoned, abandoned)).toMatchObject({ status: 'absent', abandonments: 2 });
    expect(stateAfter(abandoned, draftIssued)).toMatchObject({ status: 'open', abandonments: 1 });
  });

  test('is open once it is issued', () => {
    expect(stateAfter(draftIssued)).toMatchObject({ status: 'open', issued: issuedDraft });
  });

  test('ends superseded or expired, and still knows what was issued', () => {
    const superseded = DraftSuperseded({ transactionId, by: ids.otherTransactionId });
    expect(stateAfter(draftIssued, superseded)).toMatchObject({ status: 'superseded', issued: issuedDraft });
    const expired = DraftExpired({ transactionId });
    expect(stateAfter(draftIssued, expired)).toMatchObject({ status: 'expired', issued: issuedDraft });
  });

  test('that its creator cancelled stays so, unless its creator has sent it all the same', () => {
    const cancelled = [draftIssued, DraftCancelled({ transactionId })] as const;
    expect(stateAfter(...cancelled)).toMatchObject({ status: 'cancelled', cancelled: true });
    expect(stateAfter(...cancelled, submissionConfirmed)).toMatchObject({
      status: 'confirmed',
      landed: landedSubmission,
      cancelled: true,
    });
    expect(stateAfter(...cancelled, submissionConfirmed, dropped)).toEqual(stateAfter(...cancelled));
    expect(stateAfter(...cancelled, DraftExpired({ transactionId }))).toMatchObject({
      status: 'expired',
      cancelled: true,
    });
  });

  test('is submitted from its acceptance on, also while the advance overtakes it', () => {
    expect(stateAfter(...accepted)).toMatchObject({ status: 'submitted', accepted: acceptedSubmission });
    expect(stateAfter(...accepted, submissionOverdue)).toMatchObject({
      status: 'submitted',
      overdue: submissionOverdue.data,
    });
  });

  test('is confirmed and then finalized where it landed', () => {
    const landed = landedSubmission;
    expect(stateAfter(...accepted, submissionConfirmed)).toMatchObject({ status: 'confirmed', landed });
    expect(stateAfter(...accepted, submissionConfirmed, submissionFinalized)).toMatchObject({
      status: 'finalized',
      landed,
    });
    expect(stateAfter(...accepted, submissionFinalized)).toMatchObject({ status: 'finalized', landed });
  });

  test('that a fork dropped is submitted again, and has landed nowhere', () => {
    const again = stateAfter(...accepted, submissionConfirmed, dropped);
    expect(again).toEqual(stateAfter(...accepted));
    expect(stateAfter(...accepted, submissionConfirmed, dropped, submissionConfirmed)).toMatchObject({
      status: 'confirmed',
      landed: landedSubmission,
    });
  });

  test('keeps its advance when a fork drops the transaction: the same bytes are sent again', () => {
    const again = stateAfter(...accepted, submissionOverdue, submissionConfirmed, dropped);
    expect(again).toEqual(stateAfter(...accepted, submissionOverdue));
  });

  test('that failed has landed nowhere, also when it had been confirmed before', () => {
    const failed = { status: 'failed', landed: undefined, failed: submissionFailed.data };
    expect(stateAfter(...accepted, submissionFailed)).toMatchObject(failed);
    expect(stateAfter(...accepted, submissionConfirmed, submissionFailed)).toMatchObject(failed);
  });
});
