// A backup leaves more than nine tenths of a busy process's time to others, however long they keep it from going on.
import { expect, test } from 'vitest';
import { createOwedPauses } from '../../../../src/operations/archive/pace.ts';

/** Milliseconds of own work and of the pauses due after it, over many pieces; `others` work while a piece is worked on. */
function shareOf({ own, others }: { own: (piece: number) => number; others: (piece: number) => number }) {
  const pauses = createOwedPauses();
  let [worked, elapsed] = [0, 0];
  for (let piece = 0; piece < 1_000; piece += 1) {
    const took = own(piece) + others(piece);
    pauses.worked(took);
    const pause = pauses.due();
    pauses.paused(pause);
    worked += own(piece);
    elapsed += took + pause;
  }
  return worked / elapsed;
}

test('given pieces that nobody interrupts, when each is followed by the pause that is due, then a twenty-fifth is taken', () => {
  const share = shareOf({ own: () => 3, others: () => 0 });
  expect(share).toBeLessThan(0.041);
  expect(share).toBeGreaterThan(0.035);
});

test('given that others work while a piece waits, then that counts as a pause, and the allowed share is used', () => {
  const share = shareOf({ own: () => 3, others: (piece) => (piece % 2) * 12 });
  expect(share).toBeLessThan(0.041);
  expect(share).toBeGreaterThan(0.035);
});

test('given that others work longer than any pause, then none is due', () => {
  const pauses = createOwedPauses();
  pauses.worked(2);
  pauses.paused(pauses.due());
  pauses.worked(60);
  expect(pauses.due()).toBe(0);
});

test('given a pause that took longer than it was due, then nothing is saved up for later', () => {
  const pauses = createOwedPauses();
  pauses.worked(2);
  const due = pauses.due();
  pauses.paused(10_000);
  pauses.worked(2);
  expect(pauses.due()).toBe(due);
});

test('given one piece that takes long, then whoever reads waits for a quarter of a second at most', () => {
  const pauses = createOwedPauses();
  pauses.worked(5_000);
  expect(pauses.due()).toBe(250);
});
