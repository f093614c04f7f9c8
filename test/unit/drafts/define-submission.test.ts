// What a submission is told when its simulation fails: by the draft as it is by then.
import { describe, expect, test } from 'vitest';
import { judgeFailedSimulation, rejectionOfFailed } from '../../../src/drafts/define-submission.ts';
import { DraftCancelled, DraftExpired, DraftSuperseded } from '../../../src/streams/draft-events.ts';
import type { DraftState } from '../../../src/streams/draft-state.ts';
import { blockhashIssued } from '../../support/blockhash-examples.ts';
import { rejectionOf } from '../../support/command-spec.ts';
import {
  draftIssued,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
} from '../../support/domain-examples.ts';
import { draftAfter } from '../../support/draft-stages.ts';

const { transactionId } = ids;
const now = '2026-05-04T10:00:30.000Z';

const judged = (state: DraftState, facts: Parameters<typeof judgeFailedSimulation>[1]) =>
  judgeFailedSimulation(state, facts);

describe('a simulation that fails', () => {
  test('says nothing where the same call was accepted meanwhile: its transaction may have used the nonce', () => {
    for (const rest of [[], [submissionConfirmed], [submissionFinalized], [submissionFailed]]) {
      const since = draftAfter(draftIssued, submissionAccepted, ...rest);
      expect(judged(since, { now })).toBe('under-way');
    }
  });

  test.each([
    ['TRANSACTION_EXPIRED', DraftExpired({ transactionId })],
    ['TRANSACTION_SUPERSEDED', DraftSuperseded({ transactionId, by: ids.otherTransactionId })],
    ['TRANSACTION_CANCELLED', DraftCancelled({ transactionId })],
  ] as const)('is %s where the draft has ended meanwhile, and not the fault of its bytes', (code, end) => {
    for (const issued of [draftIssued, blockhashIssued])
      expect(rejectionOf(() => judged(draftAfter(issued, end), { now })).code).toBe(code);
  });

  test('is the end of the draft from its expiry on', () => {
    const late = { now: issuedDraft.expiresAt };
    expect(rejectionOf(() => judged(draftAfter(draftIssued), late)).code).toBe('TRANSACTION_EXPIRED');
  });

  test('is a refusal of the chain where the draft is as it was', () => {
    expect(judged(draftAfter(draftIssued), { now })).toBe('refused');
  });
});

describe('a submission that has failed', () => {
  const failed = { transactionId, message: 'It did not land in time.', logs: ['first', 'second'] };

  test('in time is told as expired: its creator makes another one', () => {
    const told = rejectionOfFailed({ failed: { ...failed, code: 'TRANSACTION_EXPIRED' } });
    expect(told).toMatchObject({ code: 'TRANSACTION_EXPIRED', message: failed.message });
    expect(told.details ?? []).toEqual([]);
  });

  test('on the chain is told with each line of its log', () => {
    expect(rejectionOfFailed({ failed: { ...failed, code: 'CHAIN_REJECTED' } })).toMatchObject({
      code: 'CHAIN_REJECTED',
      message: failed.message,
      details: [
        { path: ['logs', '0'], message: 'first' },
        { path: ['logs', '1'], message: 'second' },
      ],
    });
  });
});
