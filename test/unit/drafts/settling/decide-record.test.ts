// What was judged of a draft is recorded only while it is so, and once.
import { expect, test } from 'vitest';
import { decideRecord } from '../../../../src/drafts/settling/step-effects.ts';
import { draft } from '../../../../src/streams/draft.ts';
import {
  type DraftEvent,
  DraftHistoryFlooded,
  DraftOutcomeUnknown,
  SubmissionAccepted,
} from '../../../../src/streams/draft-events.ts';
import {
  acceptedSubmission,
  addresses,
  draftIssued,
  ids,
  signatures,
  submissionAccepted,
  submissionConfirmed,
  submissionFinalized,
  submissionOverdue,
} from '../../../support/domain-examples.ts';

const { transactionId } = ids;
const given = (...events: readonly DraftEvent[]) => events.reduce(draft.evolve, draft.initial);
const judged = given(draftIssued, submissionAccepted);
const flooded = DraftHistoryFlooded({ transactionId, address: addresses.mint, listed: 1_001 });
const unknown = DraftOutcomeUnknown({
  transactionId,
  code: 'TRANSACTION_NOT_FOUND',
  address: addresses.mint,
  signatures: [],
});

test.each([
  submissionConfirmed,
  submissionFinalized,
  submissionOverdue,
  flooded,
  unknown,
])('$type is recorded in the state that was judged, and deciding again on the result gives nothing', (event) => {
  expect(decideRecord(judged, { judged, event })).toEqual([event]);
  expect(decideRecord(draft.evolve(judged, event), { judged, event })).toEqual([]);
});

test('what was judged of another state, or of another submission, is judged anew', () => {
  const confirmed = given(draftIssued, submissionAccepted, submissionConfirmed);
  expect(decideRecord(confirmed, { judged, event: submissionFinalized })).toEqual([]);
  const another = given(
    draftIssued,
    SubmissionAccepted({ ...acceptedSubmission, signature: signatures.second }),
  );
  expect(decideRecord(another, { judged, event: submissionFinalized })).toEqual([]);
});
