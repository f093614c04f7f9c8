// When a launch is completed: once, by a final price at its target.
import { describe, expect, test } from 'vitest';
import { decideCompletion, reachedIn } from '../../../../src/drafts/observers/pool-watcher.ts';
import { launch } from '../../../../src/streams/launch.ts';
import { launchCompleted, launchStarted, launchSubject } from '../../../support/launch-examples.ts';
import { recorded } from '../../chain/venue/recorded-accounts.ts';

const account = recorded('pool-at-start');
const { tokenId } = launchSubject;
/** What the recorded pool is worth at its price. */
const marketCap = BigInt(
  reachedIn({ tokenId, launch: { ...launchSubject, targetMarketCap: '0' } }, account)?.marketCap ?? '-1',
);
const withTarget = (target: bigint) =>
  reachedIn({ tokenId, launch: { ...launchSubject, targetMarketCap: target.toString() } }, account);

describe('the target of a launch', () => {
  test('is reached by a market cap that is as high, and not by one that is a lamport lower', () => {
    expect(marketCap).toBeGreaterThan(0n);
    expect(withTarget(marketCap)).toMatchObject({ tokenId, marketCap: marketCap.toString() });
    expect(withTarget(marketCap + 1n)).toBeUndefined();
  });

  test('is not reached where the pool is not there or cannot be read', () => {
    const document = { tokenId, launch: { ...launchSubject, targetMarketCap: '0' } };
    expect(reachedIn(document, undefined)).toBeUndefined();
    expect(reachedIn(document, { ...account, data: account.data.subarray(0, 8) })).toBeUndefined();
  });
});

test('a launch is completed once; deciding again on the result gives nothing', () => {
  const reached = launchCompleted.data;
  const started = launch.evolve(launch.initial, launchStarted);
  expect(decideCompletion(started, reached)).toEqual([launchCompleted]);
  expect(decideCompletion(launch.evolve(started, launchCompleted), reached)).toEqual([]);
  expect(decideCompletion(launch.initial, reached)).toEqual([]);
});
