// What a landed draft records in the stream that it concerns: once, and taken back only where it is there.
import { describe, expect, test } from 'vitest';
import { decideBooking, decideStart } from '../../../../src/drafts/purposes/promotion-purchase-behaviour.ts';
import { decideLaunchStarted } from '../../../../src/drafts/purposes/token-launch-behaviour.ts';
import { decideLanded } from '../../../../src/drafts/purposes/transfer-fee-change-behaviour.ts';
import { featuredList, PromotionBooked } from '../../../../src/streams/featured-list.ts';
import { launch } from '../../../../src/streams/launch.ts';
import { TransferFeeChanged, token as tokenStream } from '../../../../src/streams/token.ts';
import { rejectionOf } from '../../../support/command-spec.ts';
import {
  addresses,
  ids,
  landedSubmission,
  signatures,
  tokenCreated,
} from '../../../support/domain-examples.ts';
import {
  launchStarted,
  launchSubject,
  launchTransactionId,
  startedLaunch,
} from '../../../support/launch-examples.ts';
import { promotionId, promotionStarted, purchase } from '../../../support/promotion-examples.ts';

const { transactionId, tokenId } = ids;
const { creator } = addresses;

test('a token is launched once, by whichever draft landed first', () => {
  const landed = {
    transactionId: launchTransactionId,
    creator,
    subject: launchSubject,
    landed: { transactionId: launchTransactionId, signature: signatures.second, slot: '417' },
  };
  const { startedAt } = startedLaunch;
  expect(decideLaunchStarted(launch.initial, landed, startedAt)).toEqual([launchStarted]);
  const started = launch.evolve(launch.initial, launchStarted);
  expect(decideLaunchStarted(started, { ...landed, transactionId }, startedAt)).toEqual([]);
});

describe('a promotion', () => {
  const request = { tokenId, now: '2026-05-04T10:00:00.000Z', places: 1, lost: [] };
  const own = { transactionId, promotionId };
  const booked = PromotionBooked({ ...own, tokenId, voided: [] });
  const taken = featuredList.evolve(featuredList.initial, booked);

  test('books a free place, once', () => {
    expect(decideBooking(featuredList.initial, own, request)).toEqual([booked]);
    expect(decideBooking(taken, own, request)).toEqual([]);
  });

  test('is refused where every place is taken, and takes the place of one that ended without landing', () => {
    const other = { transactionId: ids.otherTransactionId, promotionId: ids.walletId };
    const wanted = { ...request, tokenId: ids.walletId };
    expect(rejectionOf(() => decideBooking(taken, other, wanted)).code).toBe('FEATURED_LIST_FULL');
    const lost = [transactionId];
    expect(decideBooking(taken, other, { ...wanted, lost })).toEqual([
      PromotionBooked({ ...other, tokenId: wanted.tokenId, voided: lost }),
    ]);
  });

  test('starts once, for the days that were paid', () => {
    const landed = { transactionId, creator, subject: purchase, landed: landedSubmission };
    const started = promotionStarted({ signature: landedSubmission.signature });
    const { paidAt } = started.data;
    expect(decideStart(taken, [booked], landed, paidAt)).toEqual([started]);
    const after = featuredList.evolve(taken, started);
    expect(decideStart(after, [booked, started], landed, '2026-05-04T11:00:00.000Z')).toEqual([]);
  });
});

test('a change of the transfer fee is recorded once for each draft', () => {
  const state = tokenStream.evolve(tokenStream.initial, tokenCreated);
  const rates = { basisPoints: 7, maximum: '9', pending: null, slot: '400' };
  const changed = TransferFeeChanged({ tokenId, transactionId, ...rates });
  const landed = { tokenId, transactionId, rates };
  expect(decideLanded(state, [tokenCreated], landed)).toEqual([changed]);
  const after = tokenStream.evolve(state, changed);
  expect(decideLanded(after, [tokenCreated, changed], landed)).toEqual([]);
  const other = { ...landed, transactionId: ids.otherTransactionId };
  expect(decideLanded(after, [tokenCreated, changed], other)).toMatchObject([
    { type: 'TransferFeeChangeLanded', data: { transactionId: ids.otherTransactionId } },
  ]);
});
