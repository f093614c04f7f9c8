// Which targets read the log together, and where they start, follows from what was found.
import { expect, test } from 'vitest';
import { START } from '../../../../src/kernel/ports/event-store.ts';
import { groupTargets } from '../../../../src/kernel/runtime/projection-groups.ts';
import { decidePlace } from '../../../../src/kernel/runtime/projection-place.ts';

const extentOf = (position: string) => ({ amount: Number(position), unit: 'events' as const });
const target = (position: number, isServed = true) => ({ position: String(position), isServed });
const positions = (targets: readonly ReturnType<typeof target>[]) =>
  groupTargets(targets, extentOf, '99999').map((group) => group.map(({ position }) => Number(position)));

test.each([
  ['none', [], []],
  [
    'near ones together, those behind first',
    [target(9_000), target(0), target(10_000)],
    [[0, 9_000, 10_000]],
  ],
  ['one that is further ahead alone', [target(10_001), target(0)], [[0], [10_001]]],
  [
    'near is counted from the first of a group',
    [target(0), target(9_000), target(18_000)],
    [[0, 9_000], [18_000]],
  ],
  [
    'all together but for the furthest ahead, where many are far apart: they share one connection',
    [target(0), target(50_000), target(20_000), target(90_000), target(91_000)],
    [
      [0, 20_000, 50_000],
      [90_000, 91_000],
    ],
  ],
  [
    'those that are not read likewise',
    [target(0, false), target(20_000, false), target(40_000, false), target(60_000)],
    [[60_000], [0, 20_000], [40_000]],
  ],
  ['those that are read never with those that are not', [target(5, false), target(5)], [[5], [5]]],
])('grouped are %s', (_name, targets, expected) => {
  expect(positions(targets)).toEqual(expected);
});

test('those that are read come first', () => {
  expect(groupTargets([target(5, false), target(5)], extentOf, '9').map(([one]) => one?.isServed)).toEqual([
    true,
    false,
  ]);
});

test('near in bytes is a thousand times as much', () => {
  const inBytes = (position: string) => ({ amount: Number(position), unit: 'bytes' as const });
  expect(groupTargets([target(0), target(10_000_000)], inBytes, '9')).toHaveLength(1);
  expect(groupTargets([target(0), target(10_000_001)], inBytes, '9')).toHaveLength(2);
});

const FOUND = { isKnown: true, sameUpTo: undefined, head: '7', checkpoint: '5', servedUpTo: undefined };

test.each<[string, Partial<Parameters<typeof decidePlace>[0]>, ReturnType<typeof decidePlace>]>([
  ['known documents go on', {}, { start: 'from', own: '5', former: undefined }],
  ['an older generation goes on beside', { servedUpTo: '6' }, { start: 'from', own: '5', former: '6' }],
  ['up to the head', { checkpoint: '7', servedUpTo: '7' }, { start: 'from', own: '7', former: '7' }],
  [
    'an older generation that handled nothing yet',
    { servedUpTo: START },
    { start: 'from', own: '5', former: START },
  ],
  ['another log', { isKnown: false }, { start: 'anew' }],
  ['documents of events beyond the head', { checkpoint: '8' }, { start: 'anew' }],
  ['an older generation beyond the head', { servedUpTo: '8' }, { start: 'anew' }],
  [
    'only so far as the log is the same',
    { sameUpTo: '3', servedUpTo: '6' },
    { start: 'from', own: '3', former: '3' },
  ],
  ['no further than they were', { sameUpTo: '6', servedUpTo: '7' }, { start: 'from', own: '5', former: '6' }],
])('placed are %s', (_name, change, expected) => {
  expect(decidePlace({ ...FOUND, ...change })).toEqual(expected);
});
