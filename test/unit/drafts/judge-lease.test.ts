// What becomes of a leased nonce account, by the draft that leases it.
import { expect, test } from 'vitest';
import { judgeLease } from '../../../src/drafts/draft-keeper.ts';
import {
  DraftAbandoned,
  DraftCancelled,
  type DraftEvent,
  DraftExpired,
  DraftSuperseded,
} from '../../../src/streams/draft-events.ts';
import { blockhashIssued } from '../../support/blockhash-examples.ts';
import {
  addresses,
  draftIssued,
  ids,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
} from '../../support/domain-examples.ts';
import { draftAfter } from '../../support/draft-stages.ts';

const { transactionId } = ids;
const account = addresses.nonceAccount;
const abandoned = DraftAbandoned({ transactionId });
const accepted = [draftIssued, submissionAccepted];

test.each<[string, 'keep' | 'give-back' | 'renew', readonly DraftEvent[]]>([
  ['waits to be signed', 'keep', [draftIssued]],
  ['was submitted', 'keep', accepted],
  ['was confirmed', 'keep', [...accepted, submissionConfirmed]],
  ['may be under way, its issue being quarantined', 'keep', [submissionAccepted]],
  ['was superseded', 'give-back', [draftIssued, DraftSuperseded({ transactionId, by: transactionId })]],
  ['has expired', 'give-back', [draftIssued, DraftExpired({ transactionId })]],
  ['was cancelled', 'give-back', [draftIssued, DraftCancelled({ transactionId })]],
  ['has landed: its value is spent', 'renew', [...accepted, submissionFinalized]],
  ['has failed: its value is spent', 'renew', [...accepted, submissionFailed]],
])('an account whose draft %s: %s', (_how, judgement, events) => {
  for (const hasLapsed of [false, true])
    expect(judgeLease(draftAfter(...events), { account, hasLapsed })).toBe(judgement);
});

test('of two accounts that a draft has leased, the one that it was recorded without is given back', () => {
  for (const state of [draftAfter(...accepted), draftAfter(blockhashIssued)])
    expect(judgeLease(state, { account: addresses.otherNonceAccount, hasLapsed: false })).toBe('give-back');
});

test('an account of a draft that is not recorded is given back once the draft was abandoned and this very lease has lapsed', () => {
  expect(judgeLease(draftAfter(abandoned), { account, hasLapsed: true })).toBe('give-back');
  expect(judgeLease(draftAfter(abandoned), { account, hasLapsed: false })).toBe('keep');
  expect(judgeLease(draftAfter(), { account, hasLapsed: true })).toBe('keep');
});
