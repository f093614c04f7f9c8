// What the notary decides on follows from the work in hand.
import { expect, test } from 'vitest';
import { type NotaryWork, newWork, stateOf } from '../../../../src/proof/transparency/notary-work.ts';

const NOW = '2026-05-04T10:00:00.000Z';
const root = new Uint8Array(32);

test('before anything was read', () => {
  expect(stateOf(newWork(), () => false)).toEqual({
    log: 'unread',
    isTermHeld: true,
    isRested: false,
    isLookDue: false,
    size: 0,
    isMoved: false,
    published: undefined,
    signed: undefined,
    round: undefined,
  });
});

test('between two looks at the files, and after five seconds', () => {
  const { now } = performance;
  const lookedAt = (ago: number) => ({ ...newWork(), lookedAt: now.call(performance) - ago });
  expect(stateOf(lookedAt(4_000), () => true).isLookDue).toBe(false);
  expect(stateOf(lookedAt(5_001), () => true).isLookDue).toBe(true);
});

test.each([true, false])('in a round, where the term counts: %s', (isHeld) => {
  const work: NotaryWork = {
    ...newWork(),
    signed: { size: 3, root },
    published: { size: 2, at: undefined },
    round: {
      end: { size: 4, entries: [], upper: [] },
      next: { size: 4, root },
      since: NOW,
      progress: 'claimed',
    },
  };
  expect(stateOf(work, () => isHeld)).toMatchObject({
    isTermHeld: isHeld,
    published: 2,
    signed: 3,
    round: { size: 4, progress: 'claimed' },
  });
});
