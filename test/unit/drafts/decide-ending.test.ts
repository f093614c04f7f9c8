// How drafts end that nobody submitted: only from the state in which they can, and once.
import { describe, expect, test } from 'vitest';
import { decideEndOfLease, decideSuperseding } from '../../../src/drafts/decide-ending.ts';
import { draft } from '../../../src/streams/draft.ts';
import {
  DraftAbandoned,
  DraftCancelled,
  type DraftEvent,
  DraftExpired,
  DraftSuperseded,
} from '../../../src/streams/draft-events.ts';
import {
  draftIssued,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionFailed,
} from '../../support/domain-examples.ts';

const { transactionId } = ids;
const by = ids.otherTransactionId;
const abandoned = DraftAbandoned({ transactionId });
const expired = DraftExpired({ transactionId });
const superseded = DraftSuperseded({ transactionId, by });
const [early, late] = ['2026-05-04T10:04:59.999Z', issuedDraft.expiresAt];

const given = (...events: readonly DraftEvent[]) => events.reduce(draft.evolve, draft.initial);
/** None of them can end any more without the chain's word, or at all. */
const others = [
  [draftIssued, submissionAccepted],
  [draftIssued, submissionAccepted, submissionFailed],
  [draftIssued, expired],
  [draftIssued, superseded],
  [draftIssued, DraftCancelled({ transactionId })],
].map((events) => given(...events));

test('only an open draft is superseded', () => {
  expect(decideSuperseding(given(draftIssued), { transactionId, by })).toEqual([superseded]);
  for (const state of [given(), ...others])
    expect(decideSuperseding(state, { transactionId, by })).toEqual([]);
});

describe('a draft that leases a nonce account', () => {
  const ending = { transactionId, now: late, hasLapsed: true };

  test('is abandoned where it is not recorded and its lease has lapsed', () => {
    expect(decideEndOfLease(given(), ending)).toEqual([abandoned]);
    expect(decideEndOfLease(given(), { ...ending, hasLapsed: false })).toEqual([]);
  });

  test('expires where it is open and over, and is left alone otherwise', () => {
    expect(decideEndOfLease(given(draftIssued), { ...ending, hasLapsed: false })).toEqual([expired]);
    expect(decideEndOfLease(given(draftIssued), { ...ending, now: early })).toEqual([]);
    for (const state of others) expect(decideEndOfLease(state, ending)).toEqual([]);
  });
});
