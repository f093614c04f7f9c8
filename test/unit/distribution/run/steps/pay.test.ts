// Paying: what is recorded of each look at the payments, and what halts or holds up a run.
import { describe, expect, test } from 'vitest';
import { decidePay, lookAtPayments } from '../../../../../src/distribution/run/steps/pay.ts';
import { distributionRun, RoundRecorded } from '../../../../../src/streams/distribution-run.ts';
import { waitFor } from '../../../../../src/streams/distribution-wait.ts';
import {
  batchesSettled,
  batchReplanned,
  roundRecorded,
  runId,
  taxSplit,
} from '../../../../support/distribution-examples.ts';
import { ids } from '../../../../support/domain-examples.ts';
import { courseTo, openLanded, stepAt, viewOf } from '../../../../support/run-examples.ts';

const OPENED = courseTo(openLanded);
const PLANNED = courseTo(roundRecorded);
type Progress = Parameters<typeof decidePay>[1]['progress'];

const decide = (progress: Progress, events = PLANNED) => decidePay(viewOf(events), { progress, pause: 123 });

describe('of payments', () => {
  test('a plan is recorded as the next round, before anything of it is signed', () => {
    const { batches } = roundRecorded.data;
    expect(decide({ outcome: 'plan', batches }, OPENED)).toEqual({
      kind: 'record-of-run',
      events: [roundRecorded],
    });
    const second = RoundRecorded({ tokenId: ids.tokenId, runId, round: 2, batches });
    expect(decide({ outcome: 'plan', batches })).toEqual({ kind: 'record-of-run', events: [second] });
  });

  test('another plan is recorded with whom the chain refused', () => {
    const { batch, refused } = batchReplanned.data;
    expect(decide({ outcome: 'replan', replan: { batch, refused } })).toEqual({
      kind: 'record-of-run',
      events: [batchReplanned],
    });
  });

  test('what is final is recorded as settled, and its plans are over', () => {
    const decision = decide({ outcome: 'settled', batches: batchesSettled.data.batches });
    expect(decision).toEqual({ kind: 'record-of-run', events: [batchesSettled] });
    const after = distributionRun.evolve(viewOf(PLANNED).run, batchesSettled);
    expect(after.pots).toEqual([{ value: '1000000', next: 3, plans: [] }]);
  });

  test('those under way are waited for, longer with each look', () => {
    const reason = waitFor('finality');
    expect(decide({ outcome: 'waiting', for: reason })).toEqual({
      kind: 'wait',
      waiting: { for: reason, pause: 123 },
    });
  });

  test('none is left: the next step follows at once', () => {
    expect(decide({ outcome: 'done' })).toEqual({ kind: 'again' });
  });

  test.each([
    ['unknown-payment', 'PAYMENT_UNKNOWN'],
    ['pot-missing', 'POT_MISSING'],
  ] as const)('%s halts the token', (outcome, code) => {
    expect(decide({ outcome, reason: 'It was seen.' })).toEqual({
      kind: 'halt',
      code,
      reason: 'It was seen.',
    });
  });

  test('none is looked for before there is a ledger', async () => {
    expect(await lookAtPayments(stepAt(courseTo(taxSplit)))).toEqual({
      progress: { outcome: 'done' },
      pause: 0,
    });
  });
});
