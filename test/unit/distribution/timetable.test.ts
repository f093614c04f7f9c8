// When which token is looked at.
import { describe, expect, test } from 'vitest';
import { createTimetable } from '../../../src/distribution/timetable.ts';

const names = (ready: readonly { readonly tokenId: string }[]) => ready.map(({ tokenId }) => tokenId);

/** Everybody was looked at, at 10,000. */
function looked(entries: { readonly [tokenId: string]: number }) {
  const timetable = createTimetable();
  for (const [tokenId, wakeAt] of Object.entries(entries)) timetable.schedule(tokenId, wakeAt);
  timetable.turn(10_000, 0);
  return timetable;
}

describe('a token', () => {
  test('takes a step from its moment on, the one that has waited longest first', () => {
    const timetable = looked({ a: 10_500, b: 10_400, c: 10_501 });
    expect(names(timetable.turn(10_500, 9).ready)).toEqual(['b', 'a']);
  });

  test('waits where there is no place', () => {
    const timetable = looked({ a: 1, b: 2, c: 3 });
    expect(names(timetable.turn(10_001, 2).ready)).toEqual(['a', 'b']);
    for (const places of [0, -1]) expect(timetable.turn(10_001, places).ready).toEqual([]);
  });

  test('that is taking a step takes no other', () => {
    const timetable = looked({ a: 1, b: 2 });
    const entry = timetable.get('a');
    if (entry) entry.isBusy = true;
    expect(names(timetable.turn(10_001, 9).ready)).toEqual(['b']);
  });

  test('is woken at the earlier of two moments, and knows that something was recorded', () => {
    const timetable = createTimetable();
    timetable.schedule('a', 500).isChanged = false;
    expect(timetable.schedule('a', 900)).toMatchObject({ wakeAt: 500, isChanged: true, isBusy: false });
    expect(timetable.schedule('a', 300)).toMatchObject({ wakeAt: 300, failures: 0 });
    expect([...timetable.all()]).toEqual([timetable.get('a')]);
    expect(timetable.get('b')).toBeUndefined();
  });
});

describe('the timetable', () => {
  test('is looked at whole once a second, and when the clock was set back', () => {
    const timetable = looked({});
    const isOfAll = (now: number) => timetable.turn(now, 0).isOfAll;
    const moments = [10_999, 11_000, 11_000, 11_001, 10_999];
    expect(moments.map(isOfAll)).toEqual([false, true, false, false, true]);
  });

  test('sleeps until the next moment, and a second at most', () => {
    expect(looked({ a: 10_300, b: 10_200 }).turn(10_001, 9).next).toBe(10_200);
    expect(looked({ a: 99_000 }).turn(10_001, 9).next).toBe(11_000);
    // Whoever is ready does not count: the end of a step wakes it.
    expect(looked({ a: 10_000, b: 10_600 }).turn(10_001, 0).next).toBe(10_600);
  });

  test('finds again whose time comes before the next look at all', () => {
    const timetable = looked({ a: 10_999, b: 11_000 });
    for (const entry of timetable.all()) entry.wakeAt += 1_000;
    expect(names(timetable.turn(11_000, 9).ready)).toEqual([]);
    // Known since the look at all: its moment is within the second.
    expect(timetable.turn(11_001, 9).next).toBe(11_999);
    expect(names(timetable.turn(12_000, 9).ready)).toEqual(['a', 'b']);
  });

  test('takes in at once what was scheduled in between', () => {
    const timetable = looked({});
    timetable.schedule('a', 10_100);
    expect(names(timetable.turn(10_100, 1).ready)).toEqual(['a']);
  });
});
