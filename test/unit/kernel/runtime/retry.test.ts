import { expect, test } from 'vitest';
import { backoff, retry } from '../../../../src/kernel/runtime/retry.ts';

const away = new Error('away');

/** Fails so many times. */
function failing(times: number) {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw away;
    return calls;
  };
}

test('what fails for a while is tried until it succeeds, and each failure is told with those before it', async () => {
  const told: unknown[] = [];
  const failed = (error: unknown, earlier: number) => void told.push([error, earlier]);
  expect(await retry(failing(3), { pauses: [0, 1], failed })).toBe(4);
  expect(told).toEqual([
    [away, 0],
    [away, 1],
    [away, 2],
  ]);
});

test('what must not be tried again ends it at once', async () => {
  let tries = 0;
  const hopeless = () => {
    tries += 1;
    return Promise.reject(away);
  };
  const failed = (error: unknown) => {
    throw error;
  };
  await expect(retry(hopeless, { pauses: [0], failed })).rejects.toBe(away);
  expect(tries).toBe(1);
});

test('a pause ends when it is aborted, and nothing is tried after it', async () => {
  const stopping = new AbortController();
  const failed = () => stopping.abort();
  const trying = retry(failing(1), { pauses: [3_600_000], signal: stopping.signal, failed });
  await expect(trying).rejects.toBe(away);
});

test('pauses grow, and the last one stays', () => {
  expect([0, 1, 2, 9].map((failures) => backoff([10, 20, 30], failures))).toEqual([10, 20, 30, 30]);
});

test('a pause may depend on the failure and on those before it', async () => {
  const asked: unknown[] = [];
  const pauses = (earlier: number, error: unknown) => {
    asked.push([earlier, error]);
    return 0;
  };
  expect(await retry(failing(2), { pauses, failed: () => {} })).toBe(3);
  expect(asked).toEqual([
    [0, away],
    [1, away],
  ]);
});
