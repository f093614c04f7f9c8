// How a launch stands, over real read models.
import { describe, expect, test } from 'vitest';
import { launchFigures } from '../../../src/chain/venue/launch-figures.ts';
import { Rejection } from '../../../src/kernel/runtime/rejection.ts';
import { getLaunchStatus } from '../../../src/queries/get-launch-status.ts';
import { SubmissionConfirmed, SubmissionFinalized } from '../../../src/streams/draft-events.ts';
import { launchBasisOf } from '../../../src/streams/recorded-launch.ts';
import { TokenHidden } from '../../../src/streams/token.ts';
import { addresses, ids, landedSubmission, tokenCreated } from '../../support/domain-examples.ts';
import { turnsOf } from '../../support/draft-examples.ts';
import {
  launchCompleted,
  launchDraftIssued,
  launchStarted,
  launchSubject,
  launchTransactionId,
  startedLaunch,
} from '../../support/launch-examples.ts';
import { answering } from '../../support/query-spec.ts';
import { type Happening, happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const created = happening(tokenId, tokenCreated);
const issued = happening(launchTransactionId, launchDraftIssued);
const turns = turnsOf(launchTransactionId);
const landed = { ...landedSubmission, transactionId: launchTransactionId };
const confirmed = happening(launchTransactionId, SubmissionConfirmed(landed));
const finalized = happening(launchTransactionId, SubmissionFinalized(landed));
const expired = happening(launchTransactionId, turns.expired);
const started = happening(tokenId, launchStarted);
const completed = happening(tokenId, launchCompleted, '2026-05-05T10:00:00.000Z');

/** At a price of a hundred lamports for a token, unless there is none. */
async function statusAfter(
  happenings: readonly Happening[],
  { figures = true, mint = addresses.mint as string, actor = addresses.creator as string } = {},
): Promise<unknown> {
  const ask = await answering(happenings);
  const now = launchFigures(launchBasisOf(launchSubject), BigInt(launchSubject.sqrtMinPrice) * 2n);
  const launches = { of: async () => (figures ? now : undefined) };
  return ask(getLaunchStatus, { params: { mintAddress: mint }, actor, services: { launches } }).catch(
    (error: unknown) => {
      if (error instanceof Rejection) return error.code;
      throw error;
    },
  );
}

const unstarted = {
  mintAddress: addresses.mint,
  bondingCurveId: launchSubject.poolAddress,
  status: 'pending',
  progress: 0,
  currentMarketCap: '0',
  targetMarketCap: '400000000000',
  tokensSold: '0',
  totalTokens: '772000000000000',
  solCollected: '0',
  currentPrice: '0',
  launchedAt: null,
  completedAt: null,
};

/** Another draft, with a higher target. */
const another = happening(ids.transactionId, {
  ...launchDraftIssued,
  data: {
    ...launchDraftIssued.data,
    transactionId: ids.transactionId,
    subject: { ...launchSubject, targetMarketCap: '500000000000' },
  },
});
const hidden = happening(tokenId, TokenHidden({ tokenId, reason: 'reason' }));
const asAnybody = { actor: 'anonymous' };

describe('the status of a launch', () => {
  test('tells nobody but the creator the target of a draft that nobody has signed', async () => {
    const untold = { ...unstarted, targetMarketCap: '0', totalTokens: '0' };
    expect(await statusAfter([created, issued], asAnybody)).toEqual(untold);
    expect(await statusAfter([created, issued], { actor: addresses.otherCreator })).toEqual(untold);
    expect(await statusAfter([created, issued, expired], asAnybody)).toEqual({
      ...untold,
      status: 'expired',
    });
    expect(await statusAfter([created, issued, confirmed], asAnybody)).toEqual(unstarted);
  });

  test('is that of the signed draft, also when its creator has another one made', async () => {
    expect(await statusAfter([created, issued, confirmed, another], asAnybody)).toEqual(unstarted);
  });

  test('is expired with a draft that was cancelled, and pending when it lands all the same', async () => {
    const cancelled = happening(launchTransactionId, turns.cancelled);
    expect(await statusAfter([created, issued, cancelled])).toEqual({ ...unstarted, status: 'expired' });
    expect(await statusAfter([created, issued, cancelled, confirmed])).toEqual(unstarted);
  });

  test('of a hidden token is told to its creator', async () => {
    const happenings = [created, issued, finalized, started, hidden];
    expect(await statusAfter(happenings)).toMatchObject({ status: 'active' });
    expect(await statusAfter(happenings, asAnybody)).toBe('LAUNCH_NOT_FOUND');
    expect(await statusAfter([created, issued, hidden])).toEqual(unstarted);
  });

  test('is pending from its issue until it is final, however it was sent', async () => {
    for (const happenings of [[issued], [issued, confirmed], [issued, confirmed, finalized]]) {
      expect(await statusAfter([created, ...happenings])).toEqual(unstarted);
    }
  });

  test('is expired when none of its drafts can land any more, and pending again with a new one', async () => {
    expect(await statusAfter([created, issued, expired])).toEqual({ ...unstarted, status: 'expired' });
    expect(await statusAfter([created, issued, expired, another])).toMatchObject({
      status: 'pending',
      targetMarketCap: '500000000000',
    });
  });

  test('is active with what the watcher of pools has seen last', async () => {
    expect(await statusAfter([created, issued, finalized, started])).toEqual({
      ...unstarted,
      status: 'active',
      progress: 20,
      currentMarketCap: '100000000000',
      tokensSold: '386000000000449',
      solCollected: '19300000001',
      currentPrice: '100',
      launchedAt: startedLaunch.startedAt,
    });
  });

  test('is refused rather than told from figures that are too old', async () => {
    expect(await statusAfter([created, issued, finalized, started], { figures: false })).toBe(
      'CHAIN_UNAVAILABLE',
    );
  });

  test('is completed with the figures of the moment in which the target was reached, whatever the price is now', async () => {
    const happenings = [created, issued, finalized, started, completed];
    for (const figures of [true, false]) {
      expect(await statusAfter(happenings, { figures })).toMatchObject({
        status: 'completed',
        progress: 100,
        currentMarketCap: '400000000000',
        currentPrice: '400',
        launchedAt: startedLaunch.startedAt,
        completedAt: '2026-05-05T10:00:00.000Z',
      });
    }
  });

  test('is none for tokens that were never to be launched, or are not known', async () => {
    expect(await statusAfter([created])).toBe('LAUNCH_NOT_FOUND');
    expect(await statusAfter([created, issued, started], { mint: addresses.creator })).toBe(
      'LAUNCH_NOT_FOUND',
    );
  });
});
