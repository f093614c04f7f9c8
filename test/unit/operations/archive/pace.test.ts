// A backup leaves nearly all of a busy process's time to others, and takes what nobody needs.
import { expect, test } from 'vitest';
import { createPace } from '../../../../src/operations/archive/pace.ts';

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** The shortest time between two pieces of 2 ms, since other programs of the machine can only lengthen it. */
async function shortestPause(): Promise<number> {
  const pace = createPace();
  const pauses: number[] = [];
  for (let piece = 0; piece < 5; piece += 1) {
    work(2);
    const worked = performance.now();
    await pace.next();
    pauses.push(performance.now() - worked);
  }
  return Math.min(...pauses);
}

test('given that nobody else works, then a piece follows another almost immediately', async () => {
  expect(await shortestPause()).toBeLessThan(25);
});

test('given that others work, then each piece waits for a pause many times as long as itself', async () => {
  let isBusy = true;
  const others = () => {
    if (!isBusy) return;
    work(1);
    setImmediate(others);
  };
  others();
  expect(await shortestPause()).toBeGreaterThanOrEqual(50);
  isBusy = false;
});
