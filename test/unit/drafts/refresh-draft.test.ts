// Another version of a draft: the same instructions on a later blockhash, and only while none of it may land.
import { describe, expect, test } from 'vitest';
import { decideRefresh, type FreshBlockhash, freshBlockhash } from '../../../src/drafts/refresh-draft.ts';
import { DraftCancelled, DraftExpired, DraftSuperseded } from '../../../src/streams/draft-events.ts';
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
import { launchDraftIssued } from '../../support/launch-examples.ts';
import {
  blockhashes,
  draftRefreshed,
  refreshableIssued,
  submissionLapsed,
} from '../../support/refreshable-examples.ts';

const { transactionId } = ids;
const now = '2026-05-04T10:00:50.000Z';
const fresh: FreshBlockhash = {
  now,
  blockhash: blockhashes.second,
  lastValidBlockHeight: 1_200n,
  bytesExpireAt: '2026-05-04T10:01:27.000Z',
};

describe('a draft', () => {
  test('that waits to be signed, or whose submission has lapsed, gets the later blockhash; deciding again gives nothing', () => {
    for (const rest of [[], [submissionAccepted, submissionLapsed]]) {
      const state = draftAfter(refreshableIssued, ...rest);
      expect(decideRefresh(state, fresh)).toEqual([draftRefreshed]);
      expect(decideRefresh(draftAfter(refreshableIssued, ...rest, draftRefreshed), fresh)).toEqual([]);
    }
  });

  test('gets no blockhash that ends no later: a node that is behind shows earlier ones', () => {
    const state = draftAfter(refreshableIssued);
    expect(decideRefresh(state, { ...fresh, lastValidBlockHeight: 1_000n })).toEqual([]);
    expect(decideRefresh(state, { ...fresh, lastValidBlockHeight: 1_001n })).toHaveLength(1);
  });

  test('tells no end of its bytes where nobody knows how long slots are', () => {
    const [refreshed] = decideRefresh(draftAfter(refreshableIssued), { ...fresh, bytesExpireAt: undefined });
    expect(refreshed?.data).not.toHaveProperty('bytesExpireAt');
  });

  test.each([
    ['TRANSACTION_SUBMITTED', [submissionAccepted]],
    ['TRANSACTION_LANDED', [submissionAccepted, submissionConfirmed]],
    ['TRANSACTION_LANDED', [submissionAccepted, submissionFinalized]],
    ['TRANSACTION_FAILED', [submissionAccepted, submissionFailed]],
    ['TRANSACTION_EXPIRED', [DraftExpired({ transactionId })]],
    ['TRANSACTION_CANCELLED', [DraftCancelled({ transactionId })]],
    ['TRANSACTION_SUPERSEDED', [DraftSuperseded({ transactionId, by: ids.otherTransactionId })]],
  ] as const)('is refused as %s', (code, rest) => {
    expect(rejectionOf(() => decideRefresh(draftAfter(refreshableIssued, ...rest), fresh)).code).toBe(code);
  });

  test('is refused from its expiry on, and where it does not exist', () => {
    for (const state of [draftAfter(refreshableIssued), draftAfter()])
      expect(rejectionOf(() => decideRefresh(state, { ...fresh, now: issuedDraft.expiresAt })).code).toBe(
        'TRANSACTION_EXPIRED',
      );
  });

  test('on a nonce, and a launch, cannot be refreshed', () => {
    for (const issued of [draftIssued, launchDraftIssued])
      expect(rejectionOf(() => decideRefresh(draftAfter(issued), fresh)).code).toBe(
        'TRANSACTION_NOT_REFRESHABLE',
      );
  });
});

test('the bytes end with the last block that can hold them, if no slot is skipped', async () => {
  const chain = {
    recentBlockhash: async () => ({ blockhash: blockhashes.second, lastValidBlockHeight: 1_200n }),
    tip: async () => ({ slot: 5_000n, blockHeight: 1_100n }),
  };
  const slots = (measured: number | undefined) => ({
    measured: async () => measured,
    latest: () => measured,
  });
  expect(await freshBlockhash(chain, slots(250.5), new Date(now))).toEqual({
    ...fresh,
    bytesExpireAt: '2026-05-04T10:01:15.050Z',
  });
  expect(await freshBlockhash(chain, slots(undefined), new Date(now))).toMatchObject({
    bytesExpireAt: undefined,
  });
});
