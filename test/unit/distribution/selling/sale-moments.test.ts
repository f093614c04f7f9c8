// When a run looks at its sale: in secret, and the same after a restart.
import { describe, expect, test } from 'vitest';
import { saleMoment } from '../../../../src/distribution/selling/run-sale.ts';

const secret = new Uint8Array(32).fill(7);
const COLLECTED = Date.parse('2026-05-04T11:00:00.000Z');
const MINUTE = 60_000;
const run = (number = 0) => ({
  runId: `2d2f3b0c-6f0e-5d8f-8a53-0d1f0c9f4a${String(number).padStart(2, '0')}`,
  dueAt: '2026-05-04T11:05:00.000Z',
  collectedAt: '2026-05-04T11:00:00.000Z',
  interval: '1h' as const,
});

/** The moments of all looks, as a service takes them that is always there. */
function looksOf(number: number, by = secret, interval: '5m' | '1h' | '24h' = '1h'): readonly number[] {
  const moments: number[] = [];
  let looked: number | undefined;
  for (let now = COLLECTED; ; ) {
    const moment = saleMoment({ ...run(number), interval }, now, looked, by);
    if (moment === undefined) return moments;
    if ('look' in moment) {
      moments.push(now - COLLECTED);
      looked = moment.look;
    } else now = moment.until;
  }
}

describe('the first look', () => {
  test('comes within a tenth of the interval, at most ten minutes, after the withdrawal', () => {
    const first = (interval: '5m' | '1h' | '24h') =>
      Array.from({ length: 60 }, (_none, number) => looksOf(number, secret, interval)[0] ?? -1);
    for (const [interval, most] of [
      ['5m', 0.5],
      ['1h', 6],
      ['24h', 10],
    ] as const) {
      const moments = first(interval);
      expect(Math.max(...moments)).toBeLessThan(most * MINUTE);
      expect(Math.max(...moments)).toBeGreaterThan(most * MINUTE * 0.8);
      expect(Math.min(...moments)).toBeLessThan(most * MINUTE * 0.2);
    }
  });

  test('cannot be told from the run without the secret', () => {
    expect(looksOf(1)[0]).not.toBe(looksOf(1, new Uint8Array(32))[0]);
    expect(looksOf(1)[0]).not.toBe(looksOf(2)[0]);
  });
});

describe('the looks that follow', () => {
  test('are 20 to 120 seconds apart, and the same whenever they are asked for', () => {
    const moments = looksOf(3);
    for (const [index, moment] of moments.slice(1).entries()) {
      const pause = moment - (moments[index] ?? 0);
      expect(pause).toBeGreaterThanOrEqual(20_000);
      expect(pause).toBeLessThanOrEqual(120_000);
    }
    expect(looksOf(3)).toEqual(moments);
  });

  test('end with half of the next interval, or after fifty minutes', () => {
    expect(Math.max(...looksOf(4))).toBeLessThanOrEqual(35 * MINUTE);
    expect(Math.max(...looksOf(4))).toBeGreaterThan(32 * MINUTE);
    expect(Math.max(...looksOf(4, secret, '24h'))).toBeLessThanOrEqual(50 * MINUTE);
  });

  test('are taken once each, however often something else wakes the run', () => {
    const [first = 0] = looksOf(5);
    const at = COLLECTED + first + 10;
    expect(saleMoment(run(5), at, undefined, secret)).toEqual({ look: 0 });
    expect(saleMoment(run(5), at, 0, secret)).toHaveProperty('until');
  });
});

test('a run that was away for all of its time looks once, and then its time is over', () => {
  const late = COLLECTED + 300 * MINUTE;
  const moment = saleMoment(run(6), late, undefined, secret);
  if (moment === undefined || 'until' in moment) throw new Error('it looks once');
  expect(saleMoment(run(6), late, moment.look, secret)).toBeUndefined();
});
