// When which token is looked at.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTimetable, dueRun, type Timetable } from '../../../src/distribution/timetable.ts';

const names = (ready: readonly { readonly tokenId: string }[]) => ready.map(({ tokenId }) => tokenId);

/** `failures` of each, so that it takes its next step as a retry. */
function scheduled(entries: { readonly [tokenId: string]: number }, failures = 0) {
  const timetable = createTimetable({ retriesAtOnce: 2 });
  for (const [tokenId, wakeAt] of Object.entries(entries)) timetable.schedule(tokenId, wakeAt);
  if (failures === 0) return timetable;
  for (const entry of timetable.turn(Number.MAX_SAFE_INTEGER, 1_000).ready) {
    const wakeAt = entries[entry.tokenId] ?? 0;
    timetable.returned(Object.assign(entry, { failures, wakeAt, hasFailed: true }), 0);
  }
  return timetable;
}

function end(timetable: Timetable, tokenId: string, now: number, wakeAt: number, failures = 0): void {
  const entry = timetable.get(tokenId);
  if (entry === undefined) throw new Error('no such token');
  timetable.returned(Object.assign(entry, { wakeAt, failures, hasFailed: failures > 0 }), now);
}

describe('a token', () => {
  test('takes a step from its moment on, the one that has waited longest first', () => {
    const timetable = scheduled({ a: 10_500, b: 10_400, c: 10_501 });
    expect(names(timetable.turn(10_500, 9).ready)).toEqual(['b', 'a']);
    expect(names(timetable.turn(10_501, 9).ready)).toEqual(['c']);
  });

  test('waits where there is no place', () => {
    const timetable = scheduled({ a: 1, b: 1, c: 3 });
    for (const places of [0, -1]) expect(timetable.turn(10_001, places).ready).toEqual([]);
    expect(names(timetable.turn(10_001, 2).ready)).toEqual(['a', 'b']);
    expect(names(timetable.turn(10_001, 2).ready)).toEqual(['c']);
  });

  test('that is taking a step takes no other before it has ended, whatever is recorded of it', () => {
    const timetable = scheduled({ a: 1 });
    expect(names(timetable.turn(10_001, 9).ready)).toEqual(['a']);
    expect(timetable.schedule('a', 1)).toMatchObject({ isBusy: true, isChanged: true });
    expect(timetable.turn(10_001, 9).ready).toEqual([]);
    end(timetable, 'a', 10_001, 10_002);
    expect(timetable.turn(10_001, 9)).toEqual({ ready: [], next: 10_002 });
    expect(names(timetable.turn(10_002, 9).ready)).toEqual(['a']);
  });

  test('is woken at the earlier of two moments, and knows that something was recorded', () => {
    const timetable = createTimetable();
    timetable.schedule('a', 500).isChanged = false;
    expect(timetable.schedule('a', 900)).toMatchObject({ wakeAt: 500, isChanged: true, isBusy: false });
    expect(timetable.schedule('a', 300)).toMatchObject({ wakeAt: 300, failures: 0 });
    expect([...timetable.all()]).toEqual([timetable.get('a')]);
    expect(timetable.get('b')).toBeUndefined();
    expect(names(timetable.turn(300, 9).ready)).toEqual(['a']);
  });
});

describe('the timetable', () => {
  test('sleeps until the next moment, and a second at most', () => {
    expect(scheduled({ a: 10_300, b: 10_200 }).turn(10_001, 9).next).toBe(10_200);
    expect(scheduled({ a: 99_000 }).turn(10_001, 9).next).toBe(11_001);
    // Whoever is ready and has no place is woken by the step that ends.
    expect(scheduled({ a: 10_000, b: 10_600 }).turn(10_001, 0).next).toBe(11_001);
  });
});

describe('tokens whose last step failed', () => {
  test('take some of the places, and none before the others but the first of them', () => {
    const timetable = scheduled({ e: 1, f: 2, g: 3 }, 1);
    for (const tokenId of ['a', 'b', 'c', 'd']) timetable.schedule(tokenId, 500);
    expect(names(timetable.turn(1_000, 3).ready)).toEqual(['e', 'a', 'b']);
    expect(names(timetable.turn(1_000, 9).ready)).toEqual(['c', 'd', 'f']);
    expect(timetable.turn(1_000, 9)).toEqual({ ready: [], next: 2_000 });
    end(timetable, 'e', 1_000, 9_000);
    expect(names(timetable.turn(1_000, 9).ready)).toEqual(['g']);
  });

  /** Tries within the milliseconds, of 1,000 such tokens that are always due. */
  function tries(milliseconds: number, failures: (tries: number) => number): number {
    const timetable = scheduled(
      Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`token ${n}`, 0])),
      1,
    );
    const turn = (now: number) => timetable.turn(now, 9).ready;
    let made = 0;
    for (let now = 20_000; now < 20_000 + milliseconds; now += 10)
      for (let ready = turn(now); ready.length > 0 && made < 10_000; ready = turn(now))
        for (const { tokenId } of ready) {
          made += 1;
          const failed = failures(made);
          end(timetable, tokenId, now, failed === 0 ? now + 3_600_000 : now, failed);
        }
    return made;
  }

  test('fail ten times a second between them, however many they are', () => {
    expect(tries(10_000, () => 2)).toBeLessThanOrEqual(10 * 10 + 2);
    expect(tries(10_000, () => 2)).toBeGreaterThanOrEqual(10 * 9);
  });

  test('take all steps of a try without another wait', () => {
    const timetable = scheduled({ a: 0 }, 1);
    timetable.turn(5_000, 9);
    end(timetable, 'a', 5_000, 0, 2);
    expect(timetable.turn(5_000, 9)).toEqual({ ready: [], next: 5_100 });
    const [entry] = timetable.turn(5_100, 9).ready;
    if (entry === undefined) throw new Error('it is not tried');
    for (let step = 0; step < 5; step += 1) {
      timetable.returned(Object.assign(entry, { wakeAt: 5_100, hasFailed: false }), 5_100);
      expect(names(timetable.turn(5_100, 9).ready)).toEqual(['a']);
    }
    // Its last one failed.
    end(timetable, 'a', 5_100, 0, 3);
    expect(timetable.turn(5_100, 9).next).toBe(5_200);
  });

  test('are not held up once their trouble is over', () => {
    expect(tries(1_000, (made) => (made < 5 ? 2 : 0))).toBeGreaterThanOrEqual(990);
  });
});

describe('the next run of a token', () => {
  const HOUR = 3_600_000;
  const created = Date.parse('2026-05-04T10:00:00.000Z');
  const grid: Parameters<typeof dueRun>[0] = {
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
});
