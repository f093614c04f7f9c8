// What a search of a history does next, and what an answer changes. `history-search.test.ts` runs whole searches.
import { describe, expect, test } from 'vitest';
import {
  afterPage,
  afterRead,
  askedAgain,
  hasMore,
  NOT_BEGUN,
  nextAction,
  nextPass,
  restarted,
  type SearchedHistory,
} from '../../../src/chain/search-progress.ts';
import { historyEntry } from '../../support/history-entry.ts';

const place = { above: 'above', last: 'last' };
const listed = { ...NOT_BEGUN, isListed: true };
const many = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);
const within: Pick<SearchedHistory, 'window' | 'likelihood'> = {
  window: { from: 10n, to: 20n },
  likelihood: () => 'possible',
};
const page = (...slots: readonly number[]) =>
  slots.map((slot, index) => historyEntry(`at ${slot}, ${index}`, { slot }));

describe('the next action', () => {
  test.each<[string, Parameters<typeof nextAction>[0], unknown]>([
    ['begins with a short page', NOT_BEGUN, { kind: 'list', before: undefined, limit: 100 }],
    [
      'goes on with a long one, from the entry above the last',
      { ...NOT_BEGUN, place },
      { kind: 'list', before: 'above', limit: 1_000 },
    ],
    [
      'reads eight at a time of what is likely, before it lists on',
      { ...NOT_BEGUN, likely: many(9) },
      { kind: 'read', signatures: many(8) },
    ],
    [
      'lists on before it reads what is possible',
      { ...NOT_BEGUN, possible: ['a'] },
      { kind: 'list', before: undefined, limit: 100 },
    ],
    [
      'reads what is possible where too much of it waits',
      { ...NOT_BEGUN, possible: many(20_000) },
      { kind: 'read', signatures: many(8) },
    ],
    [
      'lists on where one less waits',
      { ...NOT_BEGUN, possible: many(19_999) },
      { kind: 'list', before: undefined, limit: 100 },
    ],
    [
      'reads what is possible at the end of the list',
      { ...listed, possible: ['a'] },
      { kind: 'read', signatures: ['a'] },
    ],
    [
      'goes back to what was left out when all else is read',
      { ...listed, leftOut: place },
      { kind: 'go-back' },
    ],
    [
      'reads before it goes back',
      { ...listed, leftOut: place, possible: ['a'] },
      { kind: 'read', signatures: ['a'] },
    ],
    ['asks again for what was not shown', { ...listed, missing: ['a'] }, { kind: 'ask-again' }],
    ['ends', listed, { kind: 'end' }],
  ])('%s', (_what, progress, action) => {
    expect(nextAction(progress)).toEqual(action);
  });
});

describe('a page', () => {
  test('goes on only if it begins with the last entry of the page before', () => {
    const entries = [historyEntry('last', { slot: 15 }), historyEntry('next', { slot: 14 })];
    expect(hasMore(NOT_BEGUN, [])).toBe(true);
    expect(hasMore({ ...NOT_BEGUN, place }, entries)).toBe(true);
    expect(hasMore({ ...NOT_BEGUN, place }, entries.slice(1))).toBe(false);
    expect(hasMore({ ...NOT_BEGUN, place }, [])).toBe(false);
  });

  test('gives what lies in the window, both of its ends among it', () => {
    const { possible } = afterPage(NOT_BEGUN, page(21, 20, 10, 9), within);
    expect(possible).toEqual(['at 20, 1', 'at 10, 2']);
    const open = { ...within, window: { from: undefined, to: undefined } };
    expect(afterPage(NOT_BEGUN, page(21, 9), open).possible).toHaveLength(2);
  });

  test('ends the list where it is short, or older than the window', () => {
    expect(afterPage(NOT_BEGUN, page(15), within).isListed).toBe(true);
    const full = page(...Array.from({ length: 100 }, () => 15));
    expect(afterPage(NOT_BEGUN, full, within).isListed).toBe(false);
    expect(afterPage(NOT_BEGUN, [...full.slice(1), ...page(9)], within).isListed).toBe(true);
    expect(afterPage(NOT_BEGUN, [...full.slice(1), ...page(10)], within).isListed).toBe(false);
  });

  test('is counted without the entry that it repeats, and names the next place', () => {
    const entries = [historyEntry('last', { slot: 15 }), ...page(14, 13)];
    const after = afterPage({ ...NOT_BEGUN, place, newest: 'newest', listed: 7 }, entries, within);
    expect(after).toMatchObject({
      listed: 9,
      newest: 'newest',
      place: { above: 'at 14, 0', last: 'at 13, 1' },
      possible: ['at 14, 0', 'at 13, 1'],
    });
    expect(afterPage(NOT_BEGUN, page(14), within)).toMatchObject({ newest: 'at 14, 0', place: undefined });
  });

  test('adds nothing that waits already, and is not counted when the list is read a second time', () => {
    const before = { ...NOT_BEGUN, likely: ['at 14, 0'], possible: ['at 13, 1'], isSkimmed: true };
    expect(afterPage(before, page(14, 13), within)).toMatchObject({
      likely: ['at 14, 0'],
      possible: ['at 13, 1'],
      listed: 0,
    });
  });

  test('leaves out what is merely possible once too much waits, from its place on, and takes what is likely', () => {
    const likelihood: SearchedHistory['likelihood'] = ({ slot }) => (slot === 12 ? 'likely' : 'possible');
    const full = { ...NOT_BEGUN, place, possible: many(19_999) };
    const entries = [historyEntry('last', { slot: 15 }), ...page(14, 12)];
    const after = afterPage(full, entries, { ...within, likelihood });
    expect(after).toMatchObject({ leftOut: place, likely: ['at 12, 1'] });
    expect(after.possible).toHaveLength(19_999);
    const later = afterPage({ ...after, possible: [], place: { above: 'x', last: 'last' } }, entries, within);
    expect(later).toMatchObject({ leftOut: place, possible: [] });
    const second = afterPage({ ...full, isSkimmed: true }, entries, within);
    expect(second.leftOut).toBeUndefined();
    expect(second.possible).toHaveLength(20_001);
  });

  test('takes nothing that is ruled out', () => {
    expect(afterPage(NOT_BEGUN, page(15), { ...within, likelihood: () => 'ruled-out' })).toMatchObject({
      likely: [],
      possible: [],
    });
  });
});

describe('what was read', () => {
  test('is taken from what is likely as long as there is any, else from what is possible', () => {
    const before = { ...NOT_BEGUN, likely: ['a', 'b'], possible: ['c', 'd'], missing: ['z'] };
    expect(afterRead(before, 1, ['a'])).toMatchObject({
      likely: ['b'],
      possible: ['c', 'd'],
      missing: ['z', 'a'],
    });
    expect(afterRead({ ...before, likely: [] }, 1, [])).toMatchObject({ possible: ['d'], missing: ['z'] });
  });

  test('is asked for again where it was not shown', () => {
    expect(askedAgain({ ...listed, missing: ['a'] })).toMatchObject({ possible: ['a'], missing: [] });
  });
});

test('going back begins at what was left out, and leaves nothing out any more', () => {
  const after = restarted({ ...listed, leftOut: place });
  expect(after).toMatchObject({ isListed: false, isSkimmed: true, place, leftOut: undefined });
});

test('the next pass reads what is newer than the one before, and every eighth one all', () => {
  const ended = { ...listed, newest: 'newest', until: 'older', listed: 3 };
  expect(nextPass(ended, 1)).toEqual({ ...NOT_BEGUN, until: 'newest', listed: 3 });
  expect(nextPass({ ...ended, newest: undefined }, 7)).toEqual({ ...NOT_BEGUN, until: 'older', listed: 3 });
  expect(nextPass(ended, 8)).toEqual({ ...NOT_BEGUN, until: undefined, listed: 3 });
  expect(nextPass(ended, 16).until).toBeUndefined();
});
