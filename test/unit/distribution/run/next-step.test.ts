// What comes next in a run, by what is recorded of it and what is remembered of its holders.
import { describe, expect, test } from 'vitest';
import { RECIPIENTS } from '../../../../src/distribution/paying/plan-batches.ts';
import { type NextStep, nextStep } from '../../../../src/distribution/run/next-step.ts';
import type { TokenMemory } from '../../../../src/distribution/token-memory.ts';
import { BatchesSettled, BatchReplanned, RunAllotted } from '../../../../src/streams/distribution-run.ts';
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
} from '../../../support/distribution-examples.ts';
import { ids } from '../../../support/domain-examples.ts';
import {
  closeLanded,
  closeRecorded,
  courseTo,
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

const ROWS: readonly (readonly [
  recorded: string,
  events: Parameters<typeof viewOf>[0],
  remembered: Remembered,
  step: NextStep,
])[] = [
  ['nothing but the opening', courseTo(runOpened), NOTHING, 'begin'],
  ['nothing but the opening, with holders read', courseTo(runOpened), HOLDERS, 'begin'],
  ['the first link', courseTo(linksRecorded), NOTHING, 'drive-links'],
  ['the first till', courseTo(linksLanded), NOTHING, 'scan'],
  ['the first till, with owners alone', courseTo(linksLanded), OWNERS_ALONE, 'scan'],
  ['the first till, with a scan alone', courseTo(linksLanded), SCAN_ALONE, 'scan'],
  ['a scan by another process', courseTo(holdersScanned), NOTHING, 'scan'],
  ['a scan that is still read', courseTo(holdersScanned), READING, 'scan'],
  ['a scan', courseTo(holdersScanned), HOLDERS, 'collect'],
  ['the tax', courseTo(taxCollected), HOLDERS, 'split'],
  ['the tax, by a process that has ended', courseTo(taxCollected), NOTHING, 'split'],
  ['the link of the split', courseTo(splitRecorded), OWNERS_ALONE, 'drive-links'],
  ['the landed link of the split', courseTo(splitLanded), OWNERS_ALONE, 'split'],
  ['the split', courseTo(taxSplit), OWNERS_ALONE, 'allot'],
  ['the split, by a process that has ended', courseTo(taxSplit), NOTHING, 'scan'],
  ['a ledger with pots', courseTo(runAllotted), NOTHING, 'open'],
  ['a ledger without pots', courseTo(runAllotted, [withoutPots]), NOTHING, 'close'],
  ['the links that open pots', courseTo(openRecorded), NOTHING, 'drive-links'],
  ['open pots', courseTo(openLanded), NOTHING, 'pay'],
  ['a round of payments', courseTo(roundRecorded), NOTHING, 'pay'],
  ['another plan for the round', courseTo(batchReplanned), NOTHING, 'pay'],
  ['a part of the payments', [...courseTo(roundRecorded), partSettled], NOTHING, 'pay'],
  ['all payments', courseTo(batchesSettled), NOTHING, 'close'],
  ['refusals of all payments', [...courseTo(roundRecorded), allRefused], NOTHING, 'close'],
  ['the links that close pots', courseTo(closeRecorded), NOTHING, 'drive-links'],
  ['closed pots', courseTo(closeLanded), NOTHING, 'close'],
  ['closed pots, with a payment planned', [...courseTo(roundRecorded), closeLanded], NOTHING, 'close'],
];

describe('after', () => {
  test.each(ROWS)('%s', (_recorded, events, remembered, step) => {
    expect(nextStep(viewOf(events), remembered, RECIPIENTS)).toBe(step);
  });

  test('a loan to the key of a run that pays, payments go on', () => {
    const events = [...courseTo(roundRecorded), openRecorded, openLanded];
    expect(nextStep(viewOf(events), NOTHING, RECIPIENTS)).toBe('pay');
  });
});
