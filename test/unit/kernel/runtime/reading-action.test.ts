// What is done for projections that read the log together follows from the state of their reading alone.
import { describe, expect, test } from 'vitest';
import {
  actionAtEndOfLog,
  nextAction,
  progressAfter,
  type ReadingState,
} from '../../../../src/kernel/runtime/reading-action.ts';

const BUILDING = { state: 'building', position: '7' } as const;
const LIVE = { state: 'live', position: '7' } as const;
const BLOCKED = { state: 'failed', position: '7' } as const;

/** One projection that is being built. */
const ONE: ReadingState = { progress: 'not begun', targets: [BUILDING], isInline: false, head: '7' };

const PROGRESS = ['not begun', 'caught up', 'failed', 'over'] as const;

describe('a reading', () => {
  test.each<[string, Partial<ReadingState>, string]>([
    ['that has not begun reads the log', {}, 'read'],
    ['of several reads the log for all', { targets: [BUILDING, LIVE] }, 'read'],
    ['that has caught up and left has its projections go live', { progress: 'caught up' }, 'go live'],
    ['that fails stops its only projection', { progress: 'failed' }, 'fail'],
    [
      'that fails for several reads for each alone, since nothing tells whose fault it is',
      { progress: 'failed', targets: [LIVE, BUILDING] },
      'read each alone',
    ],
    ['that is over ends', { progress: 'over' }, 'end'],
  ])('%s', (_name, change, action) => {
    expect(nextAction({ ...ONE, ...change })).toBe(action);
  });

  test.each(PROGRESS)('ends when nothing is left to read for, at whichever point: %s', (progress) => {
    expect(nextAction({ ...ONE, targets: [], progress })).toBe('end');
  });

  test('does the same in both ways of projecting, and wherever the log ends', () => {
    for (const progress of PROGRESS) {
      const action = nextAction({ ...ONE, progress });
      expect(nextAction({ ...ONE, progress, isInline: true, head: '9' })).toBe(action);
    }
  });
});

describe('at the end of the log, where appends project in their own transaction, a reading', () => {
  const inline = (...targets: ReadingState['targets']) =>
    actionAtEndOfLog({ ...ONE, isInline: true, targets });

  test('joins the appends, whatever the state of its projections', () => {
    for (const target of [BUILDING, LIVE, BLOCKED]) expect(inline(target)).toBe('join appends');
  });

  test('reads on while an append came that it has not seen, which would be missing for ever', () => {
    expect(inline({ ...BUILDING, position: '6' })).toBe('read on');
    expect(inline(BUILDING, { ...LIVE, position: '6' })).toBe('read on');
  });

  test('joins also when the log is further than this process knows', () => {
    expect(inline({ ...BUILDING, position: '8' })).toBe('join appends');
  });

  test('leaves when nothing is left to read for', () => {
    expect(inline()).toBe('leave');
  });
});

describe('at the end of the log, where a subscription brings the events, a reading', () => {
  test.each([
    ['goes live with what is being built', [BUILDING], 'go live'],
    ['goes live if any of several is being built', [LIVE, BUILDING], 'go live'],
    ['reads on for what is live', [LIVE, LIVE], 'read on'],
    ['does not go live with what waits at an event', [BLOCKED], 'read on'],
    ['leaves when nothing is left to read for', [], 'leave'],
  ] as const)('%s', (_name, targets, action) => {
    expect(actionAtEndOfLog({ ...ONE, targets })).toBe(action);
  });
});

test.each([
  ['left', false, 'caught up'],
  ['left', true, 'caught up'],
  ['failed', false, 'failed'],
  ['stopped', true, 'over'],
  ['stopped', false, 'over'],
] as const)('a subscription that has %s (the process ends: %s) means: %s', (end, isStopping, progress) => {
  expect(progressAfter(end, isStopping)).toBe(progress);
});

test('what fails while the process ends stops no projection', () => {
  expect(progressAfter('failed', true)).toBe('over');
});
