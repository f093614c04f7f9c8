// The division of the tax in a preview: the arithmetic of the step that splits it, with what an estimate expects.
import { describe, expect, test } from 'vitest';
import { createPreviewScans, expectedSplit } from '../../../src/distribution/previews.ts';
import { splitAmounts } from '../../../src/distribution/run/closing-books.ts';
import type { RunEstimate } from '../../../src/distribution/run/estimate-run.ts';
import type { OpenedRun } from '../../../src/streams/distribution.ts';
import { runOpened } from '../../support/distribution-examples.ts';

const RATE = { epoch: '700', basisPoints: 300, maximumFee: '1000000000' };
const OPEN: OpenedRun = {
  ...runOpened.data,
  epoch: '702',
  tax: { older: RATE, newer: RATE },
  settings: {
    ...runOpened.data.settings,
    burnBasisPoints: 1_000,
    developerFeeBasisPoints: 1_000,
    sellBasisPoints: 10_000,
  },
};
const ESTIMATE: RunEstimate = {
  collectable: 100_000n,
  kept: 0n,
  burned: 10_000n,
  sold: 90_000n,
  proceeds: 5_000_000n,
  unsold: undefined,
  fees: 100_000n,
};

describe('a preview', () => {
  test('divides what the sale is expected to bring, less the fees of the estimate', () => {
    expect(splitAmounts(OPEN, '100000', expectedSplit(OPEN, ESTIMATE))).toEqual({
      kept: { developer: '0', holders: '0' },
      collected: '100000',
      burned: '10000',
      sold: { developer: '10000', holders: '80000' },
      keptAfter: { developer: '0', holders: '0' },
      ownTax: {
        before: { developer: '0', holders: '0' },
        returned: { developer: '0', holders: '0' },
        after: { developer: '300', holders: '2400' },
      },
      proceeds: '5000000',
      costs: '100000',
      developer: '544444',
      holders: '4355556',
      dust: '0',
    });
  });

  test('costs no more of the proceeds than a run may', () => {
    expect(expectedSplit(OPEN, { ...ESTIMATE, fees: 600_000n }).costs).toBe('500000');
  });
});

describe('scans for previews', () => {
  const MINTS = [
    'So11111111111111111111111111111111111111112',
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  ];
  const FIFTH = 'Vote111111111111111111111111111111111111111';

  test('a fifth token is not scanned while four are', async () => {
    let ended = (_error: Error) => {};
    const failing = new Promise<never>((_resolve, reject) => {
      ended = reject;
    });
    const asked = () => failing;
    const chain = new Proxy({}, { get: () => asked }) as never;
    const scans = createPreviewScans({
      chain,
      clock: { now: () => new Date(0) },
      yieldToOthers: async () => undefined,
    });
    const underWay = MINTS.map((mint) => scans.of(mint, 0n));
    const settled = Promise.allSettled(underWay);
    await null;
    await expect(scans.of(FIFTH, 0n)).rejects.toMatchObject({
      code: 'PREVIEW_UNAVAILABLE',
      retryAfterSeconds: 30,
    });
    ended(new Error('the node is away'));
    expect((await settled).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
    await expect(scans.of(FIFTH, 0n)).rejects.toThrow('the node is away');
  });
});
