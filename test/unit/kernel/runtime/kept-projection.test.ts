// What queries read of a projection, and what they may expect of it, follows from its two generations of documents.
import { describe, expect, test } from 'vitest';
import { START } from '../../../../src/kernel/ports/event-store.ts';
import type { Projection } from '../../../../src/kernel/runtime/define-projection.ts';
import {
  hasReached,
  isUpToDate,
  type Kept,
  newKept,
  servedOf,
  targetsOf,
} from '../../../../src/kernel/runtime/kept-projection.ts';
import { progressFrom, statusOf } from '../../../../src/kernel/runtime/projection-status.ts';
import { newTarget, type Target } from '../../../../src/kernel/runtime/projection-target.ts';

const totals: Projection = { name: 'totals', version: 2, on: {} };

/** Live, read by queries, and at 5. */
function target(change: Partial<Target> = {}, version = 2): Target {
  const generation = { version, generation: 1 };
  const made = newTarget({ projection: totals, generation, categories: [], isServed: true }, '5');
  return Object.assign(made, { state: 'live' }, change);
}

const kept = (own: Target | undefined, former?: Target): Kept => ({
  projection: totals,
  categories: [],
  own,
  former,
  isRenewing: false,
});

const BUILDING = { state: 'building', isServed: false } as const;
const FAILED = { state: 'failed', error: 'broken' } as const;
const extentOf = (position: string) => ({ amount: Number(position), unit: 'events' as const });

describe('queries read', () => {
  const own = target();
  const former = target({}, 1);
  test.each<[string, Kept, Target | undefined]>([
    ['nothing before the start', kept(undefined), undefined],
    ['the own generation once it is live', kept(own), own],
    ['nothing while the first one is built', kept(target(BUILDING)), undefined],
    ['the former one while its successor is built', kept(target(BUILDING), former), former],
    ['the own one in the moment after the switch', kept(own, former), own],
    [
      'the former one when its successor has failed',
      kept(target({ ...BUILDING, ...FAILED }), former),
      former,
    ],
    ['nothing of one that has failed', kept(target(FAILED)), undefined],
    ['nothing when both have failed', kept(target(FAILED), target(FAILED, 1)), undefined],
  ])('%s', (_name, projection, expected) => {
    expect(servedOf(projection)).toBe(expected);
  });
});

test('a projection has its own generation and the former one to be kept up to date', () => {
  const own = target(BUILDING);
  const former = target({}, 1);
  expect(targetsOf([kept(own, former), kept(undefined)])).toEqual([own, former]);
});

describe('what queries read is kept up to date', () => {
  test.each<[string, Kept, boolean]>([
    ['once it is live', kept(target()), true],
    ['not while it catches up after a start', kept(target({ state: 'building' })), false],
    ['not while it cannot be written', kept(target({ error: 'the store does not answer' })), false],
    ['not when nothing is read', kept(target(BUILDING)), false],
    ['while a successor is built, which may be in trouble', kept(target(FAILED), target({}, 1)), true],
  ])('%s', (_name, projection, expected) => {
    expect(isUpToDate(projection)).toBe(expected);
  });
});

describe('a writer who waits for a position', () => {
  test.each<[string, Kept, boolean]>([
    ['goes on when it is handled', kept(target({ position: '6' })), true],
    ['goes on at exactly that position', kept(target({ position: '6' }), target({}, 1)), true],
    ['waits while it is not', kept(target()), false],
    [
      'waits for the documents that are read, not for their successor',
      kept(target({ ...BUILDING, position: '6' }), target({}, 1)),
      false,
    ],
    [
      'waits in the moment of a switch',
      kept(target(BUILDING), target({ position: '6', retired: true }, 1)),
      false,
    ],
    ['waits for what was never built', kept(target(BUILDING)), false],
    ['does not wait for a projection that has stopped', kept(target(FAILED)), true],
    ['waits before the start', kept(undefined), false],
  ])('%s', (_name, projection, expected) => {
    expect(hasReached(projection, '6')).toBe(expected);
  });
});

describe('the status', () => {
  const status = (projection: Kept, head = '8') => statusOf(projection, head, extentOf);

  test('before the start is that of a projection that is built from nothing', () => {
    expect(status(kept(undefined))).toMatchObject({
      name: 'totals',
      version: 2,
      state: 'building',
      served: undefined,
      isCurrent: false,
      position: START,
      progress: { done: 0, of: 8 },
    });
  });

  test('while a version is built names the one that is read, and how far it is', () => {
    expect(status(kept(target(BUILDING), target({}, 1)))).toMatchObject({
      state: 'building',
      served: 1,
      isCurrent: true,
      progress: { done: 5, of: 8, unit: 'events' },
    });
  });

  test('of one that is ahead of what this process knows of the log is complete', () => {
    expect(status(kept(target({ ...BUILDING, position: '9' })))).toMatchObject({
      progress: { done: 9, of: 9 },
    });
  });

  test('of a live one has no progress', () => {
    expect(status(kept(target()))).toMatchObject({ state: 'live', position: '5', progress: undefined });
  });

  test('of one that has failed names the version whose documents are left', () => {
    expect(status(kept(target(FAILED)))).toMatchObject({ state: 'failed', served: 2, error: 'broken' });
    expect(status(kept(target({ ...FAILED, isServed: false })))).toMatchObject({ served: undefined });
  });

  test('for other processes says which version is read and written', () => {
    const reads = (projection: Kept) => progressFrom(projection, '8', extentOf).reads;
    expect(reads(kept(target()))).toBe(2);
    expect(reads(kept(target(BUILDING), target({ position: '6' }, 1)))).toBe(1);
    expect(reads(kept(target(BUILDING)))).toBeUndefined();
    expect(reads(kept(target(FAILED)))).toBeUndefined();
  });
});

test('a projection follows each stream category that it folds once, and none that does not exist', () => {
  const apply = () => undefined;
  const key = () => undefined;
  const on = { Counted: { key, apply }, Closed: { key, apply }, Painted: { key, apply } };
  const categories = new Map([
    ['Counted', 'counter'],
    ['Closed', 'counter'],
    ['Painted', 'wall'],
  ]);
  expect(newKept({ ...totals, on }, categories).categories).toEqual(['counter', 'wall']);
  categories.delete('Closed');
  expect(() => newKept({ ...totals, on }, categories)).toThrow('folds "Closed", which no stream has');
});
