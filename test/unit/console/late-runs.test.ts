// Which open runs the operator's board shows as those that need somebody.
import { describe, expect, test } from 'vitest';
import { isLate } from '../../../console/src/format/late-runs.ts';

const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();
const waiting = (seconds: number) => ({
  code: 'chain-unavailable',
  detail: 'The chain node does not answer.',
  since: ago(seconds),
  error: null,
});

describe('a run', () => {
  test.each([
    ['that waits for two minutes and a second', 'pay', 130, waiting(121), true],
    ['that waits for two minutes', 'pay', 130, waiting(120), false],
    [
      'of which nothing was recorded for a quarter of an hour, as another process than the distributor sees it',
      'pay',
      901,
      null,
      true,
    ],
    ['of which something was recorded since, as another process sees it', 'pay', 900, null, false],
    ['whose payments are announced for later', 'announce', 86_400, waiting(86_400), false],
  ] as const)('%s', (_, step, moved, waitingFor, expected) => {
    const progress = { step, since: ago(moved), movedAt: ago(moved), waitingFor };
    expect(isLate({ progress }, NOW)).toBe(expected);
  });

  test('that is not open is not late', () => {
    expect(isLate({}, NOW)).toBe(false);
  });
});
