// In which slots a submission can have landed.
import { expect, test } from 'vitest';
import { windowOf } from '../../../../src/drafts/settling/outcome-search.ts';
import { blockhashDraft } from '../../../support/blockhash-examples.ts';
import { acceptedSubmission, issuedDraft } from '../../../support/domain-examples.ts';

const accepted = { ...acceptedSubmission, afterSlot: '5000' };

test('begins a few slots before the service has signed it, and is open where that is not recorded', () => {
  expect(windowOf({ issued: issuedDraft, accepted }).from).toBe(4_968n);
  expect(windowOf({ issued: issuedDraft, accepted: { ...accepted, afterSlot: '7' } }).from).toBe(0n);
  expect(windowOf({ issued: issuedDraft, accepted: acceptedSubmission }).from).toBeUndefined();
  expect(windowOf({ issued: issuedDraft, accepted: undefined }).from).toBeUndefined();
});

test('ends with the last block that can hold the bytes, however many blocks came since', () => {
  // The bytes end at height 1,000: this final block is 60 blocks and at least as many slots later.
  const issued = blockhashDraft;
  expect(windowOf({ issued, accepted }, { slot: 5_300n, blockHeight: 1_060n }).to).toBe(5_240n);
  expect(windowOf({ issued, accepted }, { slot: 5_240n, blockHeight: 1_000n }).to).toBeUndefined();
});

test('has no end for bytes on a nonce', () => {
  expect(
    windowOf({ issued: issuedDraft, accepted }, { slot: 5_300n, blockHeight: 1_060n }).to,
  ).toBeUndefined();
});
