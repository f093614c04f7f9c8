// States of streams as JSON, and what an event changed of them.
import { expect, test } from 'vitest';
import { changesBetween, plainState } from '../../../../src/streams/stream-state.ts';

test('a state becomes JSON: maps objects, sets lists, whole numbers of any size text', () => {
  const state = {
    balances: new Map([['a', 2n ** 60n]]),
    kept: new Set(['x']),
    nothing: undefined,
    none: null,
    list: [1, undefined],
  };
  expect(plainState(state)).toStrictEqual({
    balances: { a: '1152921504606846976' },
    kept: ['x'],
    none: null,
    list: [1, null],
  });
  expect(plainState(undefined)).toBeUndefined();
});

test('given a first state, everything came', () => {
  expect(changesBetween(undefined, { a: 1 })).toStrictEqual([{ path: '', after: { a: 1 } }]);
});

test('given a state in which members came, went and were changed, each is told with its path', () => {
  const before = { same: { deep: [1, 2] }, gone: 'x', token: { name: 'Sun', tax: 1 } };
  const after = { same: { deep: [1, 2] }, token: { name: 'Sun', tax: 2 }, hidden: { reason: 'copy' } };
  expect(changesBetween(before, after)).toStrictEqual([
    { path: 'gone', before: 'x' },
    { path: 'token.tax', before: 1, after: 2 },
    { path: 'hidden', after: { reason: 'copy' } },
  ]);
});

test('given a list of which one place differs, the list is told as a whole', () => {
  expect(changesBetween({ a: [1, 2] }, { a: [1, 3] })).toStrictEqual([
    { path: 'a', before: [1, 2], after: [1, 3] },
  ]);
});

test('given the same state, nothing is told', () => {
  expect(changesBetween({ a: { b: [] } }, { a: { b: [] } })).toEqual([]);
});
