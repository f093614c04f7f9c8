// The rule of issuing a draft: once, and only by an attempt that was not given up meanwhile.
import { describe, test } from 'vitest';
import { createUnsigned } from '../../../src/commands/create-unsigned.ts';
import { DraftAbandoned, DraftExpired, DraftSuperseded } from '../../../src/streams/draft-events.ts';
import { commandSpec } from '../../support/command-spec.ts';
import {
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  submissionAccepted,
} from '../../support/domain-examples.ts';
import { tokenInput } from './token-input-example.ts';

const { transactionId } = ids;
const abandoned = DraftAbandoned({ transactionId });
const attempt = (abandonments: number) => ({
  input: { body: tokenInput },
  facts: { abandonments, issued: issuedDraft },
  actor: addresses.creator,
});

describe('CreateUnsigned', () => {
  const spec = commandSpec(createUnsigned);

  test('issues the draft that was prepared', () => {
    spec.given().when(attempt(0)).records(draftIssued);
  });

  test('refuses an attempt whose claims were given up while it prepared', () => {
    spec.given(abandoned).when(attempt(0)).rejects('CONCURRENT_CHANGE');
    spec.given(abandoned, abandoned).when(attempt(1)).rejects('CONCURRENT_CHANGE');
  });

  test('refuses a draft whose issue is quarantined: it is not recorded over what came after it', () => {
    spec.given(submissionAccepted).when(attempt(0)).rejects('CONCURRENT_CHANGE');
  });

  test('issues the draft of a new attempt after earlier ones were given up', () => {
    spec.given(abandoned).when(attempt(1)).records(draftIssued);
    spec.given(abandoned, abandoned).when(attempt(2)).records(draftIssued);
  });

  test('records nothing when the same command was first, whatever became of its draft', () => {
    spec.given(draftIssued).when(attempt(0)).recordsNothing();
    spec.given(abandoned, draftIssued).when(attempt(0)).recordsNothing();
    spec.given(draftIssued, submissionAccepted).when(attempt(0)).recordsNothing();
    spec.given(draftIssued, DraftExpired({ transactionId })).when(attempt(0)).recordsNothing();
    const superseded = DraftSuperseded({ transactionId, by: ids.otherTransactionId });
    spec.given(draftIssued, superseded).when(attempt(0)).recordsNothing();
  });

  test('records nothing when its preparation met the draft already', () => {
    const met = { ...attempt(0), facts: undefined };
    spec.given(draftIssued).when(met).recordsNothing();
  });
});
