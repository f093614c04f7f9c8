// When a token's runs are due.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueRun, type TokenGrid } from '../../../src/distribution/timetable.ts';

const HOUR = 3_600_000;
const created = Date.parse('2026-05-04T10:00:00.000Z');
const grid: TokenGrid = {
  tokenId: '3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01',
  createdAt: new Date(created).toISOString(),
  interval: '1h',
  lastDueAt: undefined,
};
const secret = new Uint8Array(32).fill(7);

describe('a run', () => {
  test('is due at the end of the first interval, and opens within its last fifth', () => {
    const due = dueRun(grid, created, secret);
    expect(due.dueAt).toBe(created + HOUR);
    expect(due.opensAt).toBeGreaterThan(created + 0.8 * HOUR);
    expect(due.opensAt).toBeLessThanOrEqual(created + HOUR);
  });

  test('opens at a moment that another secret, token or interval moves', () => {
    const moments = [
      dueRun(grid, created, secret),
      dueRun(grid, created, new Uint8Array(32).fill(8)),
      dueRun({ ...grid, tokenId: '3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a02' }, created, secret),
      dueRun({ ...grid, lastDueAt: new Date(created + HOUR).toISOString() }, created + HOUR, secret),
    ].map(({ opensAt, dueAt }) => dueAt - opensAt);
    expect(new Set(moments).size).toBe(moments.length);
  });

  test('collapses with all that were missed into the latest one that may be opened', () => {
    const now = created + 100.1 * HOUR;
    expect(dueRun(grid, now, secret).dueAt).toBe(created + 100 * HOUR);
  });

  test('comes after the last one, also when the interval was changed since', () => {
    const lastDueAt = new Date(created + 6 * HOUR).toISOString();
    const due = dueRun({ ...grid, interval: '5m', lastDueAt }, created + 6 * HOUR, secret);
    expect(due.dueAt).toBe(created + 6 * HOUR + HOUR / 12);
  });

  test('is never one that was opened or skipped before, and never later than the interval under way', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 * HOUR }),
        fc.integer({ min: 0, max: 100 }),
        (passed, last) => {
          const now = created + passed;
          const lastDueAt = last === 0 ? undefined : new Date(created + last * HOUR).toISOString();
          const { dueAt, opensAt } = dueRun({ ...grid, lastDueAt }, now, secret);
          expect(dueAt).toBeGreaterThan(created + last * HOUR);
          expect((dueAt - created) % HOUR).toBe(0);
          expect(opensAt > now || dueAt > now - HOUR).toBe(true);
        },
      ),
    );
  });
});
