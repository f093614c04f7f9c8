// What a process says of a projection that another one writes, maybe of another release, follows from the note alone.
import { describe, expect, test } from 'vitest';
import type { Projection } from '../../../../src/kernel/runtime/define-projection.ts';
import {
  isLeftBehind,
  isShown,
  type SeenProjection,
  statusFrom,
} from '../../../../src/kernel/runtime/noted-projection.ts';
import type { NotedProjection, ProgressNote } from '../../../../src/kernel/runtime/progress-note.ts';

/** This release's. */
const totals: Projection = { name: 'totals', version: 3, on: {} };

const LIVE: NotedProjection = {
  name: 'totals',
  version: 3,
  state: 'live',
  isCurrent: true,
  position: '5',
  reads: { version: 3, generation: 1 },
  shown: '5',
};
const BUILDING = { state: 'building', reads: { version: 2, generation: 1 } } as const;
/** A release that writes version 2, which is the latest that it knows. */
const OLDER = { version: 2, reads: { version: 2, generation: 1 } } as const;
const NEWER = { version: 4, reads: { version: 4, generation: 1 } } as const;

function seen(change: Partial<NotedProjection> = {}, known: Partial<SeenProjection> = {}): SeenProjection {
  const noted: NotedProjection = { ...LIVE, ...change };
  const note: ProgressNote = {
    term: 1,
    log: 'first event',
    beat: 1,
    writtenAt: 'then',
    release: '1.3.0',
    rebuildsHandled: 0,
    projections: [noted],
  };
  return { note, noted, isSeen: true, isHeard: true, ...known };
}

const withoutReads = (change: Partial<NotedProjection>): SeenProjection => {
  const { reads: _reads, ...noted } = { ...LIVE, ...change };
  return { ...seen(), noted, isSeen: false };
};

function inASwitch(): SeenProjection {
  const { shown: _shown, ...noted } = LIVE;
  return { ...seen(), noted };
}

describe('a projection that another process writes', () => {
  test.each<[string, SeenProjection, object]>([
    ['is live and current', seen(), { state: 'live', isCurrent: true, served: 3 }],
    [
      'is not current while the writer is silent',
      seen({}, { isHeard: false }),
      { state: 'building', isCurrent: false },
    ],
    [
      'is not current before queries of this process read it',
      seen({}, { isSeen: false }),
      { state: 'building', isCurrent: false, served: 3 },
    ],
    [
      'is current in an older version that this release understands, while its own is built',
      seen(BUILDING),
      { state: 'building', isCurrent: true, served: 2 },
    ],
    [
      'has failed where the writer says so',
      seen({ state: 'failed', error: 'not thirteen' }),
      { state: 'failed', error: 'not thirteen' },
    ],
    [
      'is built before the first note',
      { note: undefined, noted: undefined, isSeen: false, isHeard: true },
      { state: 'building', isCurrent: false, position: '', error: undefined },
    ],
    [
      'is missing where the writer does not keep it',
      { ...seen(), noted: undefined },
      { state: 'building', error: expect.stringContaining('release 1.3.0, which writes now, does not keep') },
    ],
    [
      'waits for the upgrade of an older writer',
      seen(OLDER),
      {
        state: 'building',
        served: 2,
        isCurrent: true,
        error: expect.stringContaining('upgrade the process with the role'),
      },
    ],
    [
      'is left behind by a newer one',
      seen(NEWER),
      {
        state: 'failed',
        served: undefined,
        isCurrent: false,
        error: expect.stringContaining('start the newer release'),
      },
    ],
    [
      'is live while a newer writer still builds its own version',
      seen({ version: 4 }),
      { state: 'live', served: 3, isCurrent: true },
    ],
    [
      'is built where a newer writer has nothing yet that it understands',
      withoutReads({ version: 4, state: 'building' }),
      { state: 'building', served: undefined },
    ],
  ])('%s', (_name, known, expected) => {
    expect(statusFrom(totals, known)).toMatchObject(expected);
  });

  test('has progress only where the writer builds this very version', () => {
    const progress = { unit: 'events', done: 1, of: 2, percent: 50 } as const;
    expect(statusFrom(totals, seen({ ...BUILDING, progress })).progress).toMatchObject({ done: 1 });
    expect(statusFrom(totals, seen({ ...BUILDING, version: 4, progress })).progress).toBeUndefined();
    expect(statusFrom(totals, seen(BUILDING)).progress).toBeUndefined();
  });

  test('is left behind only by a version that is live', () => {
    const { noted } = seen({ version: 4 });
    expect(isLeftBehind(totals, noted)).toBe(false);
    expect(isLeftBehind(totals, seen(NEWER).noted)).toBe(true);
    expect(isLeftBehind(totals, undefined)).toBe(false);
  });
});

describe('a writer who waits for its own write', () => {
  test.each<[string, SeenProjection, boolean]>([
    ['goes on when it is shown', seen({ shown: '6' }), true],
    ['goes on at exactly that position', seen(), true],
    ['waits while it is not shown', seen({ shown: '4' }), false],
    ['waits while queries of this process read other documents', seen({}, { isSeen: false }), false],
    ['waits in the moment of a switch', inASwitch(), false],
    ['waits before the first note', { ...seen(), note: undefined }, false],
    ['waits for documents of an older version that are read', seen({ ...BUILDING, shown: '4' }), false],
    ['does not wait for what nobody keeps', { ...seen(), noted: undefined }, true],
    ['does not wait for what a newer release has replaced', seen({ ...NEWER, shown: '4' }), true],
    ['does not wait for what has stopped and is not read', withoutReads({ state: 'failed' }), true],
    ['waits for what is built for the first time', withoutReads({ state: 'building' }), false],
  ])('%s', (_name, known, expected) => {
    expect(isShown(totals, known, '5')).toBe(expected);
  });
});
