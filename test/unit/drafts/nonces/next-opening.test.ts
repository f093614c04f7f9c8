// What is done next about a nonce account that is to be there: it is signed anew so late that two creations cannot cross.
import { describe, expect, test } from 'vitest';
import {
  lowestMissing,
  nextOpeningAction,
  type OpeningSeen,
  whenNoneIsFree,
} from '../../../../src/drafts/nonces/next-opening.ts';

const nothing: OpeningSeen = { kind: 'nothing' };
const unusable: OpeningSeen = { kind: 'unusable' };
const usable: OpeningSeen = { kind: 'usable', value: 'v' };

test.each<[string, number, OpeningSeen, object]>([
  ['what is usable is opened at once', 0, usable, { kind: 'opened', value: 'v' }],
  ['what is usable is opened however long it took', 119, usable, { kind: 'opened', value: 'v' }],
  ['what is not there is signed and sent', 0, nothing, { kind: 'sign' }],
  ['what was sent is waited for', 1, nothing, { kind: 'wait' }],
  ['what was sent is waited for some rounds', 7, nothing, { kind: 'wait' }],
  ['what did not land is sent again', 8, nothing, { kind: 'send-again' }],
  ['what did not land is sent again and again', 96, nothing, { kind: 'send-again' }],
  ['what cannot land any more is signed anew', 100, nothing, { kind: 'sign' }],
  ['what is there and cannot be used yet is waited for, and never signed', 0, unusable, { kind: 'wait' }],
  ['what is there and cannot be used yet is never sent', 8, unusable, { kind: 'wait' }],
  ['what takes too long is given up', 120, nothing, { kind: 'give-up' }],
  ['what stays unusable is given up', 120, unusable, { kind: 'give-up' }],
])('%s (round %i)', (_rule, round, seen, action) => {
  expect(nextOpeningAction(round, seen)).toEqual(action);
});

test('no creation is signed anew while the one before is good', () => {
  const signed = Array.from({ length: 120 }, (_, round) => round).filter(
    (round) => nextOpeningAction(round, nothing).kind === 'sign',
  );
  expect(signed).toEqual([0, 100]);
});

test('the lowest index that is missing comes next', () => {
  expect(lowestMissing(() => false)).toBe(0);
  expect(lowestMissing((index) => [0, 1, 3].includes(index))).toBe(2);
});

describe('when no account is free', () => {
  test('one that was opened is taken, whatever else there is', () => {
    expect(whenNoneIsFree({ opened: 'a', outdated: 3, rounds: 0 })).toBe('take-opened');
  });

  test('those whose values a fork took are waited for, as long as finality takes', () => {
    expect(whenNoneIsFree({ opened: undefined, outdated: 1, rounds: 0 })).toBe('wait-for-outdated');
    expect(whenNoneIsFree({ opened: undefined, outdated: 1, rounds: 79 })).toBe('wait-for-outdated');
    expect(whenNoneIsFree({ opened: undefined, outdated: 1, rounds: 80 })).toBe('exhausted');
  });

  test('the call is refused where there is nothing to wait for', () => {
    expect(whenNoneIsFree({ opened: undefined, outdated: 0, rounds: 0 })).toBe('exhausted');
  });
});
