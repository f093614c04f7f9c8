// Rule of submissions: an open draft is accepted once. A repeated submission records nothing and is never refused.
import { describe, test } from 'vitest';
import { submit } from '../../../src/commands/submit-token.ts';
import { SubmissionAccepted } from '../../../src/streams/draft-events.ts';
import { commandSpec } from '../../support/command-spec.ts';
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

const { transactionId } = ids;
const { superseded, expired, cancelled, dropped } = turnsOf();

function at(now: string) {
  return {
    input: { body: { transactionId, signedTransaction: acceptedSubmission.signedTransaction } },
    facts: { now, accepted: acceptedSubmission as typeof acceptedSubmission | undefined },
    actor: addresses.creator,
  };
}

/** Facts of a draft whose submission is already in progress. */
function underWay(now: string) {
  const { facts, ...rest } = at(now);
  return { ...rest, facts: { ...facts, accepted: undefined } };
}

const inTime = at('2026-05-04T10:04:59.999Z');
const atTheEnd = at(issuedDraft.expiresAt);

describe('SubmitToken', () => {
  const spec = commandSpec(submit);

  test('stands for an open draft, with the signed bytes', () => {
    spec.given(draftIssued).when(inTime).records(submissionAccepted);
  });

  test('refuses a draft from the very millisecond of its expiry on, recorded or not', () => {
    spec.given(draftIssued).when(atTheEnd).rejects('TRANSACTION_EXPIRED');
    spec.given(draftIssued, expired).when(inTime).rejects('TRANSACTION_EXPIRED');
  });

  test('refuses a draft that a newer one replaced, also after its expiry', () => {
    spec.given(draftIssued, superseded).when(inTime).rejects('TRANSACTION_SUPERSEDED');
    spec.given(draftIssued, superseded).when(atTheEnd).rejects('TRANSACTION_SUPERSEDED');
  });

  test('refuses a draft that its creator cancelled, also after its expiry', () => {
    spec.given(draftIssued, cancelled).when(inTime).rejects('TRANSACTION_CANCELLED');
    spec.given(draftIssued, cancelled).when(atTheEnd).rejects('TRANSACTION_CANCELLED');
  });

  test('records nothing again once it was accepted, whatever became of it and however late', () => {
    const ends = [
      [],
      [submissionOverdue],
      [submissionConfirmed],
      [submissionConfirmed, dropped],
      [submissionFinalized],
      [submissionFailed],
    ];
    for (const rest of ends) {
      const { when } = spec.given(draftIssued, submissionAccepted, ...rest);
      for (const late of [inTime, atTheEnd, underWay('2027-01-01T00:00:00.000Z')])
        when(late).recordsNothing();
    }
  });

  test('records nothing where it was found under way, though a fork has taken that back since', () => {
    spec.given(draftIssued).when(underWay('2026-05-04T10:00:00.000Z')).recordsNothing();
  });

  test('keeps the signature that was accepted first when the same draft is submitted twice at once', () => {
    const other = SubmissionAccepted({ ...acceptedSubmission, signature: signatures.second });
    spec.given(draftIssued, other).when(inTime).recordsNothing();
  });
});
