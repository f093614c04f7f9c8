/** Which step a run is in follows from what is recorded alone: every process and every start says the same. */
import { expect, test } from 'vitest';
import { announced, type RecordedProgress, recordedStep } from '../../../../src/streams/distribution-step.ts';

const NOTHING: RecordedProgress = {
  pendingPurpose: undefined,
  isBegun: false,
  isScanned: false,
  isCollected: false,
  isSplit: false,
  isAllotted: false,
  left: [],
  isOpened: false,
  isClosing: false,
};

const BEGUN = { ...NOTHING, isBegun: true };
const COLLECTED = { ...BEGUN, isScanned: true, isCollected: true };
const ALLOTTED = { ...COLLECTED, isSplit: true, isAllotted: true, left: ['5', '7'] };
const OPENED = { ...ALLOTTED, isOpened: true };

test.each<[string, RecordedProgress]>([
  ['begin', NOTHING],
  ['begin', { ...NOTHING, pendingPurpose: 'begin' }],
  ['scan', BEGUN],
  ['collect', { ...BEGUN, isScanned: true }],
  ['split', COLLECTED],
  ['split', { ...COLLECTED, pendingPurpose: 'split' }],
  ['allot', { ...COLLECTED, isSplit: true }],
  ['open', ALLOTTED],
  ['pay', OPENED],
  ['pay', { ...OPENED, left: ['0', '7'] }],
  // The run's key is lent more in the middle of payments.
  ['open', { ...OPENED, pendingPurpose: 'open' }],
  ['close', { ...OPENED, left: ['0', '0'] }],
  // Somebody was refused, so that something is left.
  ['close', { ...OPENED, left: ['0', '7'], pendingPurpose: 'close' }],
  ['close', { ...OPENED, left: ['0', '7'], isClosing: true }],
  // Nobody is to be paid.
  ['close', { ...ALLOTTED, left: [] }],
])('%s: %o', (step, progress) => {
  expect(recordedStep(progress)).toBe(step);
});

test('until the announced moment a run is in a step of its own, and in the next one from that moment on', () => {
  const since = '2026-05-04T10:00:00.000Z';
  const payAfter = '2026-05-04T10:05:00.000Z';
  const at = (time: string, isPending = false) =>
    announced({ step: 'open', since }, payAfter, isPending, new Date(time));
  expect(at('2026-05-04T10:04:59.999Z')).toEqual({ step: 'announce', since });
  expect(at(payAfter)).toEqual({ step: 'open', since: payAfter });
  expect(at('2026-05-04T10:04:00.000Z', true)).toEqual({ step: 'open', since });
  expect(announced({ step: 'pay', since }, payAfter, false, new Date(since))).toEqual({ step: 'pay', since });
});
