// The rule of cancelling: only what nobody has submitted, by its creator, and once.
import { describe, test } from 'vitest';
import { cancelTransaction } from '../../../src/commands/cancel-transaction.ts';
import { commandSpec } from '../../support/command-spec.ts';
import {
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
} from '../../support/domain-examples.ts';
import { turnsOf } from '../../support/draft-examples.ts';

const { transactionId } = ids;
const { cancelled, expired, superseded } = turnsOf();

function at(now: string, actor: string = addresses.creator) {
  return { input: { params: { transactionId } }, facts: { now }, actor };
}

const inTime = at('2026-05-04T10:04:59.999Z');
const late = at(issuedDraft.expiresAt);

describe('CancelTransaction', () => {
  const spec = commandSpec(cancelTransaction);

  test('ends an open draft, and says the same again', () => {
    spec.given(draftIssued).when(inTime).records(cancelled);
    spec.given(draftIssued, cancelled).when(inTime).recordsNothing();
    spec.given(draftIssued, cancelled).when(late).recordsNothing();
    spec.given(draftIssued, cancelled, expired).when(late).recordsNothing();
  });

  test('refuses what was submitted, whatever became of it', () => {
    const lives = [[], [submissionConfirmed], [submissionFinalized], [submissionFailed]] as const;
    for (const rest of lives) {
      spec
        .given(draftIssued, submissionAccepted, ...rest)
        .when(inTime)
        .rejects('TRANSACTION_SUBMITTED');
    }
  });

  test('refuses a cancelled one that its creator has sent and that has landed', () => {
    spec.given(draftIssued, cancelled, submissionConfirmed).when(inTime).rejects('TRANSACTION_SUBMITTED');
  });

  test('refuses what is over already', () => {
    spec.given(draftIssued).when(late).rejects('TRANSACTION_EXPIRED');
    spec.given(draftIssued, expired).when(inTime).rejects('TRANSACTION_EXPIRED');
    spec.given(draftIssued, superseded).when(inTime).rejects('TRANSACTION_SUPERSEDED');
  });

  test('refuses others, and what does not exist', () => {
    const stranger = at('2026-05-04T10:01:00.000Z', addresses.otherCreator);
    spec.given(draftIssued).when(stranger).rejects('NOT_TRANSACTION_OWNER');
    spec.given().when(inTime).rejects('TRANSACTION_NOT_FOUND');
  });
});
