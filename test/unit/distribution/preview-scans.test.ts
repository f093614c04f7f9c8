// Scans for previews read all accounts of a mint, so few are under way at once; the others are told to come again.
import { expect, test } from 'vitest';
import { createPreviewScans } from '../../../src/distribution/previews.ts';

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
  const scans = createPreviewScans({ chain, clock: { now: () => new Date(0) }, rest: async () => undefined });
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
