// A backup leaves nearly all of a busy process's time to others, and takes what nobody needs.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createPace } from '../../../../src/operations/archive/background-pace.ts';

afterEach(() => void vi.restoreAllMocks());

/** Winner after a chunk of this duration in a process with this utilization: the next chunk, or 50 ms. */
async function firstAfter(milliseconds: number, utilization: number) {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ idle: 0, active: 0, utilization });
  const pace = createPace();
  now = milliseconds;
  return Promise.race([sleep(50).then(() => 'the pause'), pace.next().then(() => 'the piece')]);
}

test.each([
  ['that works at most a third of its time', 2, 0.3, 'the piece'],
  ['that works more', 2, 0.31, 'the pause'],
  ['whose last piece took no time', 0.9, 1, 'the piece'],
])('in a process %s, a piece of %d ms at %d is followed by %s', async (_what, milliseconds, busy, first) => {
  expect(await firstAfter(milliseconds, busy)).toBe(first);
});
