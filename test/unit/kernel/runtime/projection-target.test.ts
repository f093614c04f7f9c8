// What queries read of a projection, and what they may expect of it, follows from its two generations of documents.
import { describe, expect, test } from 'vitest';
import { START } from '../../../../src/kernel/ports/event-store.ts';
import type { Projection } from '../../../../src/kernel/runtime/define-projection.ts';
import {
  hasReached,
  isUpToDate,
  newTarget,
  type ProjectionBuilds,
  servedOf,
  statusOf,
  type Target,
  targetsOf,
} from '../../../../src/kernel/runtime/projection-target.ts';

const totals: Projection = { name: 'totals', version: 2, on: {} };

/** Live, read by queries, and at 5. */
function target(change: Partial<Target> = {}, version = 2): Target {
  const generation = { version, generation: 1 };
  const made = newTarget({ projection: totals, generation, categories: [], isServed: true }, '5');
  return Object.assign(made, { state: 'live' }, change);
}

const builds = (own: Target | undefined, former?: Target): ProjectionBuilds => ({
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
  test.each<[string, ProjectionBuilds, Target | undefined]>([
    ['nothing before the start', builds(undefined), undefined],
    ['the own generation once it is live', builds(own), own],
    ['nothing while the first one is built', builds(target(BUILDING)), undefined],
    ['the former one while its successor is built', builds(target(BUILDING), former), former],
    ['the own one in the moment after the switch', builds(own, former), own],
    [
      'the former one when its successor has failed',
      builds(target({ ...BUILDING, ...FAILED }), former),
      former,
    ],
    ['nothing of one that has failed', builds(target(FAILED)), undefined],
    ['nothing when both have failed', builds(target(FAILED), target(FAILED, 1)), undefined],
  ])('%s', (_name, projection, expected) => {
    expect(servedOf(projection)).toBe(expected);
  });
});

test('a projection has its own generation and the former one to be kept up to date', () => {
  const own = target(BUILDING);
  const former = target({}, 1);
  expect(targetsOf([builds(own, former), builds(undefined)])).toEqual([own, former]);
});

describe('what queries read is kept up to date', () => {
  test.each<[string, ProjectionBuilds, boolean]>([
    ['once it is live', builds(target()), true],
    ['not while it catches up after a start', builds(target({ state: 'building' })), false],
    ['not while it cannot be written', builds(target({ error: 'the store does not answer' })), false],
    ['not when nothing is read', builds(target(BUILDING)), false],
    ['while a successor is built, which may be in trouble', builds(target(FAILED), target({}, 1)), true],
  ])('%s', (_name, projection, expected) => {
    expect(isUpToDate(projection)).toBe(expected);
  });
});

describe('a writer who waits for a position', () => {
  test.each<[string, ProjectionBuilds, boolean]>([
    ['goes on when it is handled', builds(target({ position: '6' })), true],
    ['goes on at exactly that position', builds(target({ position: '6' }), target({}, 1)), true],
    ['waits while it is not', builds(target()), false],
    [
      'waits for the documents that are read, not for their successor',
      builds(target({ ...BUILDING, position: '6' }), target({}, 1)),
      false,
    ],
    [
      'waits in the moment of a switch',
      builds(target(BUILDING), target({ position: '6', retired: true }, 1)),
      false,
    ],
    ['waits for what was never built', builds(target(BUILDING)), false],
    ['does not wait for a projection that has stopped', builds(target(FAILED)), true],
    ['waits before the start', builds(undefined), false],
  ])('%s', (_name, projection, expected) => {
    expect(hasReached(projection, '6')).toBe(expected);
  });
});

describe('the status', () => {
  const status = (projection: ProjectionBuilds, head = '8') => statusOf(projection, head, extentOf);

  test('before the start is that of a projection that is built from nothing', () => {
    expect(status(builds(undefined))).toMatchObject({
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
    expect(status(builds(target(BUILDING), target({}, 1)))).toMatchObject({
      state: 'building',
      served: 1,
      isCurrent: true,
      progress: { done: 5, of: 8, unit: 'events' },
    });
  });

  test('of one that is ahead of what this process knows of the log is complete', () => {
    expect(status(builds(target({ ...BUILDING, position: '9' })))).toMatchObject({
      progress: { done: 9, of: 9 },
    });
  });

  test('of one that has failed names the version whose documents are left', () => {
    expect(status(builds(target(FAILED)))).toMatchObject({ state: 'failed', served: 2, error: 'broken' });
    expect(status(builds(target({ ...FAILED, isServed: false })))).toMatchObject({ served: undefined });
  });

  test('for other processes says which version is read and written', () => {
    const reads = (projection: ProjectionBuilds) => statusOf(projection, '8', extentOf).reads;
    expect(reads(builds(target()))).toBe(2);
    expect(reads(builds(target(BUILDING), target({ position: '6' }, 1)))).toBe(1);
    expect(reads(builds(target(BUILDING)))).toBeUndefined();
    expect(reads(builds(target(FAILED)))).toBeUndefined();
  });
});
