// The state of a projection that another process writes, maybe of another release, follows from its report and checkpoint alone.
import { describe, expect, test } from 'vitest';
import type { Projection } from '../../../../src/kernel/runtime/define-projection.ts';
import type { ProjectionProgress } from '../../../../src/kernel/runtime/projection-status.ts';
import {
  isLeftBehind,
  isShown,
  type RemoteProjection,
  statusFrom,
  type WriterStatus,
} from '../../../../src/kernel/runtime/remote-projection.ts';

/** This release's. */
const totals: Projection = { name: 'totals', version: 3, on: {} };

const LIVE: ProjectionProgress = {
  name: 'totals',
  version: 3,
  isFiled: false,
  state: 'live',
  served: 3,
  isCurrent: true,
  position: '5',
  progress: undefined,
  lastEventAt: undefined,
  error: undefined,
  reads: 3,
};
const BUILDING = { state: 'building', reads: 2 } as const;
/** A release that writes version 2, which is the latest that it knows. */
const OLDER = { version: 2, reads: 2 } as const;
const NEWER = { version: 4, reads: 4 } as const;

function writerOf(...projections: readonly ProjectionProgress[]): WriterStatus {
  return { term: 1, log: 'first event', beat: 1, release: '1.3.0', rebuildsHandled: 0, projections };
}

/** `checkpoint`: of the build that queries read. */
function seen(
  change: Partial<ProjectionProgress> = {},
  known: Partial<RemoteProjection> = {},
  checkpoint = '5',
) {
  const reported = { ...LIVE, ...change };
  const version = reported.reads ?? 0;
  const served = { version, generation: 1, isLive: true, checkpoint };
  return { writer: writerOf(reported), served, isHeard: true, ...known };
}

/** The writer has nothing that this release could read. */
const unread = (change: Partial<ProjectionProgress>) =>
  seen({ reads: undefined, ...change }, { served: undefined });

const missing = { writer: writerOf(), served: undefined, isHeard: true };

describe('a projection that another process writes', () => {
  test.each<[string, RemoteProjection, object]>([
    ['is live and current', seen(), { state: 'live', isCurrent: true, served: 3 }],
    [
      'is not current while the writer is silent',
      seen({}, { isHeard: false }),
      { state: 'building', isCurrent: false },
    ],
    [
      'is not current before queries of this process read it',
      seen({}, { served: undefined }),
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
      'is built before the first report',
      { writer: undefined, served: undefined, isHeard: true },
      { state: 'building', isCurrent: false, position: '', error: undefined },
    ],
    [
      'is missing where the writer does not keep it',
      missing,
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
      unread({ version: 4, state: 'building' }),
      { state: 'building', served: undefined },
    ],
  ])('%s', (_name, known, expected) => {
    expect(statusFrom(totals, known)).toMatchObject(expected);
  });

  test('has progress only where the writer builds this very version', () => {
    const progress = {
      unit: 'events',
      done: 1,
      of: 2,
      percent: 50,
      perSecond: undefined,
      secondsLeft: undefined,
    } as const;
    expect(statusFrom(totals, seen({ ...BUILDING, progress })).progress).toMatchObject({ done: 1 });
    expect(statusFrom(totals, seen({ ...BUILDING, version: 4, progress })).progress).toBeUndefined();
    expect(statusFrom(totals, seen(BUILDING)).progress).toBeUndefined();
  });

  test('is left behind only by a version that is live', () => {
    expect(isLeftBehind(totals, { ...LIVE, version: 4 })).toBe(false);
    expect(isLeftBehind(totals, { ...LIVE, ...NEWER })).toBe(true);
    expect(isLeftBehind(totals, undefined)).toBe(false);
  });
});

test('the position is that of the checkpoint, where it is later than the report', () => {
  expect(statusFrom(totals, seen({}, {}, '7')).position).toBe('7');
  expect(statusFrom(totals, seen({ position: '8' }, {}, '7')).position).toBe('8');
  expect(statusFrom(totals, seen({ ...BUILDING, position: '3' }, {}, '7')).position).toBe('3');
});

describe('a caller that waits for its own write', () => {
  test.each<[string, RemoteProjection, boolean]>([
    ['continues when the checkpoint is behind it', seen({}, {}, '6'), true],
    ['continues at exactly that position, whatever the report says', seen({ position: '1' }), true],
    [
      'waits while the checkpoint is before it, whatever the report says',
      seen({ position: '9' }, {}, '4'),
      false,
    ],
    ['waits while queries of this process read nothing', seen({}, { served: undefined }), false],
    ['waits before the first report', { ...seen(), writer: undefined }, false],
    ['waits for documents of an older version that are read', seen(BUILDING, {}, '4'), false],
    ['does not wait for what nobody keeps', missing, true],
    ['does not wait for what a newer release has replaced', seen(NEWER, {}, '4'), true],
    ['does not wait for what has stopped and is not read', unread({ state: 'failed' }), true],
    ['waits for what is built for the first time', unread({ state: 'building' }), false],
  ])('%s', (_name, known, expected) => {
    expect(isShown(totals, known, '5')).toBe(expected);
  });
});
