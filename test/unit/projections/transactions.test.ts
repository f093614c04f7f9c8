// The read model of drafts: what their owners may ask, and what work they still give the service.
import { describe, expect, test } from 'vitest';
import { type TransactionDocument, transactions } from '../../../src/projections/transactions.ts';
import { SubmissionConfirmed } from '../../../src/streams/draft-events.ts';
import type { LevyEvent } from '../../../src/streams/index.ts';
import { recordingTypes, revertingTypes } from '../../../src/streams/purposes/index.ts';
import { TransferFeeChanged } from '../../../src/streams/token.ts';
import { blockhashDraft, blockhashIssued } from '../../support/blockhash-examples.ts';
import {
  acceptedSubmission,
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  signatures,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
  submissionOverdue,
} from '../../support/domain-examples.ts';
import { turnsOf } from '../../support/draft-examples.ts';
import { decoded, examplesOf } from '../../support/golden-files.ts';
import { issuedLaunchDraft, launchDraftIssued, launchTransactionId } from '../../support/launch-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { transactionId, tokenId } = ids;
const createdAt = '2026-05-04T10:00:00.000Z';
const acceptedAt = '2026-05-04T10:01:00.000Z';
const settledAt = '2026-05-04T10:01:10.000Z';

const issued = happening(transactionId, draftIssued, createdAt);
const accepted = happening(transactionId, submissionAccepted, acceptedAt);
const confirmed = happening(transactionId, submissionConfirmed, settledAt);
const finalized = happening(transactionId, submissionFinalized, '2026-05-04T10:01:30.000Z');
const failed = happening(transactionId, submissionFailed, '2026-05-04T10:02:00.000Z');
const turns = turnsOf();
const dropped = happening(transactionId, turns.dropped);
/** What becomes of a launch that its creator sends. */
const launchIssued = happening(launchTransactionId, launchDraftIssued, createdAt);
const launchTurns = turnsOf(launchTransactionId);
const landing = { transactionId: launchTransactionId, signature: signatures.second, slot: '417' };
const launchSeen = happening(launchTransactionId, SubmissionConfirmed(landing), settledAt);
const launchGone = happening(launchTransactionId, launchTurns.dropped);

const open: TransactionDocument = {
  transactionId,
  status: 'open',
  issued: issuedDraft,
  signature: null,
  acceptedSignature: null,
  failure: null,
  createdAt,
  acceptedAt: null,
  deadline: null,
  overdueSince: null,
  settledAt: null,
  recorded: false,
};
const submitted: TransactionDocument = {
  ...open,
  status: 'submitted',
  signature: signatures.first,
  acceptedSignature: signatures.first,
  acceptedAt,
  deadline: acceptedSubmission.deadline,
};

const launchOf = (change: Partial<TransactionDocument> = {}): TransactionDocument => ({
  ...open,
  transactionId: launchTransactionId,
  issued: issuedLaunchDraft,
  ...change,
});

const spec = projectionSpec(transactions);

describe('transactions', () => {
  test('shows which drafts another one replaced, and since when a submission is given up', () => {
    spec
      .given(issued, happening(transactionId, turns.superseded))
      .gives({ [transactionId]: { ...open, status: 'superseded' } });
    const overdue = happening(transactionId, submissionOverdue, '2026-05-04T10:03:01.000Z');
    spec
      .given(issued, accepted, overdue)
      .gives({ [transactionId]: { ...submitted, overdueSince: overdue.occurredAt } });
  });

  test('shows a cancelled launch that its creator sent all the same, and as cancelled again after a fork', () => {
    const cancelled = happening(launchTransactionId, launchTurns.cancelled, acceptedAt);
    const over = happening(launchTransactionId, launchTurns.expired);
    const cancelledAt = acceptedAt;
    spec.given(launchIssued, cancelled, launchSeen).gives({
      [launchTransactionId]: launchOf({
        status: 'confirmed',
        signature: signatures.second,
        settledAt,
        cancelledAt,
      }),
    });
    spec.given(launchIssued, cancelled, launchSeen, launchGone).gives({
      [launchTransactionId]: launchOf({ status: 'cancelled', cancelledAt }),
    });
    spec.given(launchIssued, cancelled, over).gives({
      [launchTransactionId]: launchOf({ status: 'expired', cancelledAt }),
    });
  });

  test('shows a submission that a fork dropped as submitted, under the signature that it is sent with', () => {
    spec.given(issued, accepted, confirmed, dropped).gives({ [transactionId]: submitted });
  });

  test('shows a launch that was confirmed without having been submitted, and is only waited for again when a fork takes it back', () => {
    spec.given(launchIssued, launchSeen).gives({
      [launchTransactionId]: launchOf({ status: 'confirmed', signature: signatures.second, settledAt }),
    });
    spec.given(launchIssued, launchSeen, launchGone).gives({ [launchTransactionId]: launchOf() });
  });

  test('is not recorded by a change of the tax that no draft made', () => {
    const observed = TransferFeeChanged({
      tokenId,
      transactionId: null,
      basisPoints: 123,
      maximum: null,
      pending: null,
      slot: '7',
    });
    spec.given(issued, happening(tokenId, observed)).gives({ [transactionId]: open });
  });
});

describe('the work that a transaction gives', () => {
  const { work, open: openOf } = transactions.indexes ?? {};
  const as = (status: TransactionDocument['status'], isRecorded = false): TransactionDocument => ({
    ...open,
    status,
    recorded: isRecorded,
  });

  test.each([
    ['open', false, []],
    ['superseded', false, []],
    ['expired', false, []],
    ['cancelled', false, []],
    ['submitted', false, ['settle']],
    ['submitted', true, ['settle']],
    ['confirmed', false, ['settle', 'record']],
    ['confirmed', true, ['settle']],
    ['finalized', false, ['record']],
    ['finalized', true, []],
    ['failed', false, []],
    ['failed', true, ['revert']],
  ] as const)('of a draft that is %s (token recorded: %s) is %j', (status, isRecorded, expected) => {
    expect(work?.(as(status, isRecorded))).toEqual(expected);
  });

  test('a draft is found by its creator only while it waits for the signature', () => {
    expect(openOf?.(as('open'))).toEqual([addresses.creator]);
    for (const status of ['superseded', 'cancelled', 'submitted', 'failed'] as const) {
      expect(openOf?.(as(status))).toEqual([]);
    }
  });
});

describe('a launch, which its creator may send without the service', () => {
  const { work, launch, livingLaunch, mint, open: openOf } = transactions.indexes ?? {};

  test.each([
    ['open', false, ['settle']],
    ['cancelled', false, ['settle']],
    ['submitted', false, ['settle']],
    ['confirmed', false, ['settle']],
    ['finalized', false, ['record']],
    ['finalized', true, []],
    ['expired', false, []],
    ['failed', false, []],
  ] as const)('gives, when it is %s (recorded: %s), the work %j', (status, recorded, expected) => {
    expect(work?.(launchOf({ status, recorded }))).toEqual(expected);
  });

  test('is found by its mint, and apart from those that can land no more', () => {
    for (const status of ['open', 'submitted', 'confirmed', 'finalized'] as const) {
      expect(livingLaunch?.(launchOf({ status }))).toEqual([addresses.mint]);
    }
    for (const status of ['expired', 'failed'] as const) {
      expect(livingLaunch?.(launchOf({ status }))).toEqual([]);
      expect(launch?.(launchOf({ status }))).toEqual([addresses.mint]);
    }
    expect([launch?.(open), livingLaunch?.(open)]).toEqual([[], []]);
  });

  test('holds no nonce, and so counts among nobody’s open drafts; its mint has no metadata of its own', () => {
    expect([openOf?.(launchOf()), mint?.(launchOf())]).toEqual([[], []]);
  });
});

test.each([
  ...recordingTypes.map((type) => [type, true] as const),
  ...revertingTypes.map((type) => [type, false] as const),
])('%s notes whether what the draft was for is recorded', (type, isRecorded) => {
  const [example] = decoded(examplesOf({ type }));
  const event = { type, data: { ...example?.data, transactionId } } as LevyEvent;
  spec.given(issued, happening(tokenId, event)).gives({ [transactionId]: { ...open, recorded: isRecorded } });
});

describe('a draft on a recent blockhash', () => {
  const { work, open: openOf } = transactions.indexes ?? {};
  const begun = happening(transactionId, blockhashIssued, createdAt);
  const first: TransactionDocument = { ...open, issued: blockhashDraft };
  const underWay: TransactionDocument = { ...submitted, issued: blockhashDraft };
  const final: TransactionDocument = {
    ...underWay,
    status: 'finalized',
    signature: signatures.second,
    settledAt: '2026-05-04T10:01:30.000Z',
  };

  test('tells since when a flooded history is searched for it, until its outcome is known', () => {
    const flooded = happening(transactionId, turns.flooded, settledAt);
    const expired = happening(transactionId, turns.expired, settledAt);
    const searched = { ...underWay, floodedSince: settledAt };
    spec.given(begun, accepted, flooded).gives({ [transactionId]: searched });
    spec.given(begun, flooded, expired).gives({ [transactionId]: { ...first, status: 'expired' } });
    const failure = submissionFailed.data;
    spec.given(begun, accepted, flooded, failed).gives({
      [transactionId]: { ...underWay, status: 'failed', failure, settledAt: '2026-05-04T10:02:00.000Z' },
    });
    spec.given(begun, accepted, flooded, finalized).gives({ [transactionId]: final });
    expect(transactions.indexes?.flooded?.(searched)).toEqual(['searched']);
    expect(transactions.indexes?.flooded?.(first)).toEqual([]);
  });

  test('tells since when and why its outcome is unknown, until it is known, and how an operator concluded it', () => {
    const unknown = happening(transactionId, turns.unknown, settledAt);
    const concluded = happening(transactionId, turns.concluded, settledAt);
    const { transactionId: _same, ...why } = turns.unknown.data;
    const { transactionId: _too, ...word } = turns.concluded.data;
    const waiting: TransactionDocument = { ...underWay, unknownOutcome: { since: settledAt, ...why } };
    spec.given(begun, accepted, unknown).gives({ [transactionId]: waiting });
    spec
      .given(begun, accepted, unknown, concluded, finalized)
      .gives({ [transactionId]: { ...final, conclusion: { at: settledAt, ...word } } });
    expect(transactions.indexes?.unknown?.(waiting)).toEqual(['unknown']);
    expect(transactions.indexes?.unknown?.(first)).toEqual([]);
  });

  test('counts among the open drafts, and is followed by its own key once it is submitted', () => {
    expect(openOf?.(first)).toEqual([addresses.creator]);
    expect(work?.(first)).toEqual(['settle']);
    expect(work?.({ ...first, status: 'submitted' })).toEqual(['settle']);
    expect(work?.({ ...first, status: 'confirmed' })).toEqual(['settle', 'record']);
    for (const status of ['expired', 'cancelled'] as const) expect(work?.({ ...first, status })).toEqual([]);
  });
});
