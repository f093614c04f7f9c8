// Who may search next: short searches never wait for long ones, and long ones cost a bounded number of calls.
import { describe, expect, test } from 'vitest';
import {
  CALLS_PER_TURN,
  LONG,
  LONG_CALLS_PER_MINUTE,
  nextTurns,
  PLACES,
  PLACES_OF_LONG,
  type SearchState,
} from '../../../../src/drafts/settling/searches.ts';

const NOW = 1_000_000;
const search = (transactionId: string, change: Partial<SearchState> = {}): SearchState => ({
  transactionId,
  isRunning: false,
  calls: 0,
  notBefore: 0,
  ...change,
});
const next = (searches: readonly SearchState[], longCalls = 0) =>
  nextTurns(searches, { now: NOW, longCalls });
const long = Array.from({ length: 1_000 }, (_, index) => search(`long-${index}`, { calls: LONG + index }));

describe('the next turns', () => {
  test('go first to those that took the fewest calls', () => {
    const searches = [search('a', { calls: 40 }), search('b', { calls: 2 }), search('c', { calls: 16 })];
    expect(next(searches)).toEqual(['b', 'c', 'a']);
  });

  test('are no more than there are places', () => {
    const many = Array.from({ length: 50 }, (_, index) => search(`short-${index}`));
    expect(next(many)).toHaveLength(PLACES);
    const running = many.slice(0, PLACES - 1).map((one) => ({ ...one, isRunning: true }));
    expect(next([...running, ...many.slice(PLACES)])).toHaveLength(1);
    expect(next(many.map((one) => ({ ...one, isRunning: true })))).toEqual([]);
  });

  test('leave places for a short search, however many long ones there are', () => {
    expect(next(long)).toHaveLength(PLACES_OF_LONG);
    const running = long.slice(0, PLACES_OF_LONG).map((one) => ({ ...one, isRunning: true }));
    expect(next([...running, ...long.slice(PLACES_OF_LONG), search('short')])).toEqual(['short']);
    expect(next([...long, search('short')])[0]).toBe('short');
  });

  test('are refused to long searches once they have made the calls of a minute, and to short ones never', () => {
    const spent = LONG_CALLS_PER_MINUTE - CALLS_PER_TURN + 1;
    expect(next(long, spent)).toEqual([]);
    expect(next(long, spent - 1)).toHaveLength(1);
    expect(next([...long, search('short')], spent)).toEqual(['short']);
  });

  test('wait for the rest of a search', () => {
    expect(next([search('a', { notBefore: NOW + 1 })])).toEqual([]);
    expect(next([search('a', { notBefore: NOW })])).toEqual(['a']);
  });
});
