// When a draft is recorded: once, and not after the claims for it have lapsed.
import { expect, test } from 'vitest';
import { decideIssue } from '../../../src/drafts/define-draft.ts';
import { DraftAbandoned } from '../../../src/streams/draft-events.ts';
import { rejectionOf } from '../../support/command-spec.ts';
import { draftIssued, ids, issuedDraft, submissionAccepted } from '../../support/domain-examples.ts';
import { draftAfter } from '../../support/draft-stages.ts';

const abandoned = DraftAbandoned({ transactionId: ids.transactionId });
const made = { abandonments: 0, issued: issuedDraft };

test('a draft is recorded once: deciding again on the result gives nothing, whatever became of it', () => {
  expect(decideIssue(draftAfter(), made)).toEqual([draftIssued]);
  for (const later of [[], [submissionAccepted]])
    expect(decideIssue(draftAfter(draftIssued, ...later), made)).toEqual([]);
});

test('a draft that was abandoned while it was made is refused, and one that was made after that is not', () => {
  const given = draftAfter(abandoned);
  expect(rejectionOf(() => decideIssue(given, made))).toMatchObject({ code: 'CONCURRENT_CHANGE' });
  expect(decideIssue(given, { ...made, abandonments: 1 })).toEqual([draftIssued]);
  expect(decideIssue(draftAfter(abandoned, draftIssued), made)).toEqual([]);
});

test('a draft whose issue is quarantined is not recorded over what came after it', () => {
  expect(rejectionOf(() => decideIssue(draftAfter(submissionAccepted), made))).toMatchObject({
    code: 'CONCURRENT_CHANGE',
  });
});
