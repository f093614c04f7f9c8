// The next step of a run, from its recorded events and the cached holders; and the step that is shown, which
// follows from what is recorded alone: every process and every start says the same.
import { expect, test } from 'vitest';
import { RECIPIENTS } from '../../../../src/distribution/paying/plan-batches.ts';
import { type NextStep, nextStep } from '../../../../src/distribution/run/next-step.ts';
import type { TokenMemory } from '../../../../src/distribution/token-memory.ts';
import { stepOf } from '../../../../src/distribution/view.ts';
import { BatchesSettled, BatchReplanned, RunAllotted } from '../../../../src/streams/distribution-run.ts';
import { announced, type RunStep } from '../../../../src/streams/distribution-step.ts';
import {
  batchesSettled,
  batchReplanned,
  holdersScanned,
  linksLanded,
  linksRecorded,
  openRecorded,
  roundRecorded,
  runAllotted,
  runId,
  runOpened,
  splitLanded,
  splitRecorded,
  taxCollected,
  taxSplit,
  witnessAwaited,
} from '../../../support/distribution-examples.ts';
import { ids } from '../../../support/domain-examples.ts';
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

type Remembered = Pick<TokenMemory, 'owners' | 'scan'>;

const NOTHING: Remembered = { owners: undefined, scan: undefined };
const HOLDERS: Remembered = { owners: OWNERS, scan: SCAN };
const OWNERS_ALONE: Remembered = { owners: OWNERS, scan: undefined };
const SCAN_ALONE: Remembered = { owners: undefined, scan: SCAN };
const READING: Remembered = { owners: OWNERS, scan: { ...SCAN, mintAfter: undefined } };

const withoutPots = RunAllotted({ ...runAllotted.data, pots: [] });
const part = { pot: 0, value: '90000000', from: 0, to: 2, without: [] };
const partSettled = BatchesSettled({
  ...batchesSettled.data,
  batches: [{ ...part, signature: 's', slot: '4150', left: '45000000', fee: '5000' }],
});
/** The chain takes none of the pot's payments. */
const allRefused = BatchReplanned({
  tokenId: ids.tokenId,
  runId,
  batch: { pot: 0, value: '90000000', from: 0, to: 3, without: [0, 1, 2] },
  refused: [0, 1, 2].map((number) => ({ number, refusal: 'frozen' })),
});

/** The whole pot is spent. */
const allPaid = BatchesSettled({
  ...batchesSettled.data,
  batches: batchesSettled.data.batches.map((batch) => ({ ...batch, without: [], left: '0' })),
});

test.each<
  readonly [
    recorded: string,
    events: Parameters<typeof viewOf>[0],
    remembered: Remembered,
    step: NextStep,
    shown: RunStep,
  ]
>([
  ['nothing but the opening', courseTo(runOpened), NOTHING, 'begin', 'begin'],
  ['nothing but the opening, with holders read', courseTo(runOpened), HOLDERS, 'begin', 'begin'],
  ['the first link', courseTo(linksRecorded), NOTHING, 'drive-links', 'begin'],
  ['the first till', courseTo(linksLanded), NOTHING, 'scan', 'scan'],
  ['the first till, with owners alone', courseTo(linksLanded), OWNERS_ALONE, 'scan', 'scan'],
  ['the first till, with a scan alone', courseTo(linksLanded), SCAN_ALONE, 'scan', 'scan'],
  // Unrecorded actions are not shown, as the reference of steps and waits states.
  ['a scan by another process', courseTo(holdersScanned), NOTHING, 'scan', 'collect'],
  ['a scan that is still read', courseTo(holdersScanned), READING, 'scan', 'collect'],
  ['a scan', courseTo(holdersScanned), HOLDERS, 'collect', 'collect'],
  ['the tax', courseTo(taxCollected), HOLDERS, 'split', 'split'],
  ['the tax, by a process that has ended', courseTo(taxCollected), NOTHING, 'split', 'split'],
  ['the link of the split', courseTo(splitRecorded), OWNERS_ALONE, 'drive-links', 'split'],
  ['the landed link of the split', courseTo(splitLanded), OWNERS_ALONE, 'split', 'split'],
  ['the split', courseTo(taxSplit), OWNERS_ALONE, 'allot', 'allot'],
  ['the split, by a process that has ended', courseTo(taxSplit), NOTHING, 'scan', 'allot'],
  ['a ledger with pots', courseTo(runAllotted), NOTHING, 'open', 'open'],
  ['a ledger without pots', courseTo(runAllotted, [withoutPots]), NOTHING, 'close', 'close'],
  ['the links that open pots', courseTo(openRecorded), NOTHING, 'drive-links', 'open'],
  ['open pots', courseTo(openLanded), NOTHING, 'pay', 'pay'],
  ['a round of payments', courseTo(roundRecorded), NOTHING, 'pay', 'pay'],
  ['another plan for the round', courseTo(batchReplanned), NOTHING, 'pay', 'pay'],
  [
    'a loan to the key of a run that pays',
    [...courseTo(roundRecorded), openRecorded],
    NOTHING,
    'drive-links',
    'open',
  ],
  ['a loan that has landed', [...courseTo(roundRecorded), openRecorded, openLanded], NOTHING, 'pay', 'pay'],
  ['a part of the payments', [...courseTo(roundRecorded), partSettled], NOTHING, 'pay', 'pay'],
  ['all payments', [...courseTo(roundRecorded), allPaid], NOTHING, 'close', 'close'],
  ['all payments but a refused one', courseTo(batchesSettled), NOTHING, 'close', 'pay'],
  ['refusals of all payments', [...courseTo(roundRecorded), allRefused], NOTHING, 'close', 'pay'],
  ['the links that close pots', courseTo(closeRecorded), NOTHING, 'drive-links', 'close'],
  ['closed pots', courseTo(closeLanded), NOTHING, 'close', 'close'],
  [
    'closed pots, with a payment planned',
    [...courseTo(roundRecorded), closeLanded],
    NOTHING,
    'close',
    'close',
  ],
  ['the word of a second node', [...courseTo(batchesSettled), witnessAwaited], NOTHING, 'close', 'close'],
])('after %s', (_recorded, events, remembered, step, shown) => {
  const view = viewOf(events);
  expect(nextStep(view, remembered, RECIPIENTS)).toBe(step);
  expect(stepOf(view.state, view.run, NOW)).toBe(shown);
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
