// What follows from an operator's correction: the open run decides again, exactly, what it had decided by a wrong balance.
import { describe, expect, test } from 'vitest';
import { RECIPIENTS } from '../../../../../src/distribution/paying/plan-batches.ts';
import { nextStep } from '../../../../../src/distribution/run/next-step.ts';
import { decideCorrect } from '../../../../../src/distribution/run/steps/correct.ts';
import { decideSplit } from '../../../../../src/distribution/run/steps/split.ts';
import { BooksCorrected, RunOpened } from '../../../../../src/streams/distribution.ts';
import { TaxCollected } from '../../../../../src/streams/distribution-run.ts';
import {
  openRecorded,
  runAllotted,
  runId,
  runOpened,
  splitLanded,
  splitRecorded,
  taxCollected,
  taxSplit,
} from '../../../../support/distribution-examples.ts';
import { ids } from '../../../../support/domain-examples.ts';
import { courseTo, OWNERS, recordedBy, viewOf } from '../../../../support/run-examples.ts';

const { tokenId } = ids;
const tooMuch = TaxCollected({ ...taxCollected.data, collected: '5000000', balance: '5000000' });
const correctionOf = (tokens: string, lamports: string) =>
  BooksCorrected({ tokenId, runId, tokens, lamports, slot: '4300', reason: 'The node was wrong.' });
const next = (events: Parameters<typeof viewOf>[0]) =>
  nextStep(viewOf(events), { owners: OWNERS, scan: undefined }, RECIPIENTS);

describe('a balance that was recorded too high', () => {
  const stuck = courseTo(splitRecorded, [tooMuch]);
  const corrected = [...stuck, correctionOf('1000000', '0')];

  test('is replaced by what the wallet holds, and the link that cannot land is decided again', () => {
    expect(next(stuck)).toBe('drive-links');
    expect(next(corrected)).toBe('correct');
    const events = recordedBy(decideCorrect(viewOf(corrected)));
    expect(events).toMatchObject([
      { type: 'CollectionCorrected', data: { collected: '1000000', balance: '1000000', slot: '4300' } },
    ]);
    const after = [...corrected, ...events];
    expect(next(after)).toBe('split');
    expect(viewOf(after).run.collected).toEqual({
      ...taxCollected.data,
      collected: '1000000',
      balance: '1000000',
    });
    expect(decideCorrect(viewOf(after))).toMatchObject({ kind: 'record-of-run' });
  });

  test('counts what the landed link burned and sold', () => {
    const events = [...courseTo(taxSplit, [tooMuch]), correctionOf('90000', '100000000')];
    expect(recordedBy(decideCorrect(viewOf(events)))).toMatchObject([
      { data: { collected: '1000000', balance: '1000000' } },
    ]);
  });

  test('halts the run where less is there than is kept, owed or undivided', () => {
    const carried = { ...runOpened.data.carried, kept: { developer: '0', holders: '1000001' } };
    const events = courseTo(splitRecorded, [tooMuch, RunOpened({ ...runOpened.data, carried })]);
    expect(decideCorrect(viewOf([...events, correctionOf('1000000', '0')]))).toMatchObject({
      kind: 'halt',
      code: 'BOOKS_DISAGREE',
    });
  });
});

test('a till that was recorded with too much: what the run has allotted and not opened is divided again by what is there', () => {
  const stuck = [...courseTo(runAllotted), openRecorded];
  const corrected = [...stuck, correctionOf('90000', '60000000')];
  expect(viewOf(corrected).state.till?.lamports).toBe('60000000');
  expect(next(corrected)).toBe('correct');
  const after = [...corrected, ...recordedBy(decideCorrect(viewOf(corrected)))];
  expect(next(after)).toBe('split');
  const { run } = viewOf(after);
  expect([run.split, run.allotted, run.pots]).toEqual([undefined, undefined, []]);
  const [again] = recordedBy(decideSplit(viewOf(after), { fees: 0n, epoch: 0n }));
  if (again?.type !== 'TaxSplit') throw new Error('the tax is split again');
  const { proceeds, costs, developer, holders } = again.data;
  expect(proceeds).toBe('60000000');
  expect(BigInt(costs) + BigInt(developer) + BigInt(holders)).toBe(60_000_000n);
  expect(splitLanded.data.lamports).toBe('100000000');
});
