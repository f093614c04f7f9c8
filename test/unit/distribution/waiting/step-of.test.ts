/** Which step a run is in follows from what is recorded alone: every process and every start says the same. */
import { describe, expect, test } from 'vitest';
import { RECIPIENTS } from '../../../../src/distribution/paying/plan-batches.ts';
import { nextStep } from '../../../../src/distribution/run/next-step.ts';
import { stepOf } from '../../../../src/distribution/view.ts';
import { BatchesSettled, distributionRun } from '../../../../src/streams/distribution-run.ts';
import { announced, recordedStep } from '../../../../src/streams/distribution-step.ts';
import {
  batchesSettled,
  holdersScanned,
  linksLanded,
  linksRecorded,
  openRecorded,
  roundRecorded,
  runAllotted,
  runOpened,
  splitLanded,
  splitRecorded,
  taxCollected,
  taxSplit,
} from '../../../support/distribution-examples.ts';
import {
  closeLanded,
  closeRecorded,
  courseTo,
  NOW,
  OWNERS,
  openLanded,
  SCAN,
  viewOf,
} from '../../../support/run-examples.ts';

type Progress = readonly [
  links: Partial<Parameters<typeof recordedStep>[0]>,
  records?: Partial<Parameters<typeof recordedStep>[1]>,
];

const BEGUN = { isBegun: true };
const SCANNED = { scanned: holdersScanned.data };
const COLLECTED = { ...SCANNED, collected: taxCollected.data };
const SPLIT = { ...COLLECTED, split: taxSplit.data };
const ALLOTTED = { ...SPLIT, allotted: runAllotted.data };
const left = (...values: readonly string[]) => ({
  ...ALLOTTED,
  pots: values.map((value) => ({ value, next: 0, plans: [] })),
});
const OPENED = { ...BEGUN, landed: ['open'] };

test.each<[string, Progress]>([
  ['begin', [{}]],
  ['begin', [{ pendingPurpose: 'begin' }]],
  ['scan', [BEGUN]],
  ['collect', [BEGUN, SCANNED]],
  ['split', [BEGUN, COLLECTED]],
  ['split', [{ ...BEGUN, pendingPurpose: 'split' }, COLLECTED]],
  ['allot', [BEGUN, SPLIT]],
  ['open', [BEGUN, left('5', '7')]],
  ['pay', [OPENED, left('5', '7')]],
  ['pay', [OPENED, left('0', '7')]],
  // The run's key is lent more in the middle of payments.
  ['open', [{ ...OPENED, pendingPurpose: 'open' }, left('5', '7')]],
  ['close', [OPENED, left('0', '0')]],
  // Somebody was refused, so that something is left.
  ['close', [{ ...OPENED, pendingPurpose: 'close' }, left('0', '7')]],
  ['close', [{ ...OPENED, landed: ['open', 'close'] }, left('0', '7')]],
  ['close', [OPENED, { ...left('0', '7'), witnessed: ['silent'] }]],
  // Nobody is to be paid.
  ['close', [BEGUN, left()]],
])('%s: %o', (step, [links, records]) => {
  const unlinked = { pendingPurpose: undefined, isBegun: false, landed: [] };
  expect(recordedStep({ ...unlinked, ...links }, { ...distributionRun.initial, ...records })).toBe(step);
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

describe('the step that is shown is the one that the engine takes', () => {
  const all = { owners: OWNERS, scan: SCAN };
  const [landed] = batchesSettled.data.batches;
  if (landed === undefined) throw new Error('the example settles a batch');
  const emptied = BatchesSettled({
    ...batchesSettled.data,
    batches: [{ ...landed, without: [], left: '0' }],
  });
  const course: readonly (readonly [
    recorded: string,
    events: Parameters<typeof viewOf>[0],
    remembered: typeof all | { readonly owners: undefined; readonly scan: undefined },
    shown: string,
  ])[] = [
    ['the opening', courseTo(runOpened), all, 'begin'],
    ['the first till', courseTo(linksLanded), { owners: undefined, scan: undefined }, 'scan'],
    ['the scan', courseTo(holdersScanned), all, 'collect'],
    ['the tax', courseTo(taxCollected), all, 'split'],
    ['the link of the split', courseTo(splitLanded), all, 'split'],
    ['the split', courseTo(taxSplit), all, 'allot'],
    ['the ledger', courseTo(runAllotted), all, 'open'],
    ['open pots', courseTo(openLanded), all, 'pay'],
    ['a round', courseTo(roundRecorded), all, 'pay'],
    ['all payments', [...courseTo(roundRecorded), emptied], all, 'close'],
    ['closed pots', courseTo(closeLanded), all, 'close'],
  ];

  test.each(course)('after %s', (_recorded, events, remembered, shown) => {
    const view = viewOf(events);
    expect(nextStep(view, remembered, RECIPIENTS)).toBe(shown);
    expect(stepOf(view.state, view.run, NOW)).toBe(shown);
  });

  test.each([
    ['begin', linksRecorded],
    ['split', splitRecorded],
    ['open', openRecorded],
    ['close', closeRecorded],
  ] as const)('while its links are driven: %s', (purpose, recorded) => {
    const view = viewOf(courseTo(recorded));
    expect(nextStep(view, all, RECIPIENTS)).toBe('drive-links');
    expect(stepOf(view.state, view.run, NOW)).toBe(purpose);
  });

  test('but for what nobody records', () => {
    // The reference of steps and waits says so.
    const nothing = { owners: undefined, scan: undefined };
    for (const [events, shown] of [
      [courseTo(holdersScanned), 'collect'],
      [courseTo(taxSplit), 'allot'],
    ] as const) {
      const view = viewOf(events);
      expect([nextStep(view, nothing, RECIPIENTS), stepOf(view.state, view.run, NOW)]).toEqual([
        'scan',
        shown,
      ]);
    }
    const refused = viewOf(courseTo(batchesSettled));
    expect([nextStep(refused, nothing, RECIPIENTS), stepOf(refused.state, refused.run, NOW)]).toEqual([
      'close',
      'pay',
    ]);
  });
});
