// The stream of one run: what was found, who is to be paid, and what the chain has shown of it.
import { describe, expect, test } from 'vitest';
import {
  BatchReplanned,
  type DistributionRunEvent,
  type DistributionRunState,
  distributionRun,
  paymentKey,
  RunAllotted,
} from '../../../src/streams/distribution-run.ts';
import {
  batchesSettled,
  batchReplanned,
  roundRecorded,
  runAllotted,
} from '../../support/distribution-examples.ts';

const stateAfter = (...events: readonly DistributionRunEvent[]): DistributionRunState =>
  events.reduce(distributionRun.evolve, distributionRun.initial);

describe('a pot', () => {
  test('begins at its allowance, with its first payment', () => {
    expect(stateAfter(runAllotted).pots).toEqual([{ value: '90000000', next: 0, plans: [] }]);
  });

  test('may be paid from by every plan for its value', () => {
    const [batch] = roundRecorded.data.batches;
    const state = stateAfter(runAllotted, roundRecorded, batchReplanned);
    expect(state.rounds).toBe(1);
    expect(state.pots).toEqual([{ value: '90000000', next: 0, plans: [batch, batchReplanned.data.batch] }]);
    expect(state.refused).toEqual({ 'sol/1': 'under-rent-floor' });
  });

  test('goes on behind what was settled, at what its meter shows', () => {
    const state = stateAfter(runAllotted, roundRecorded, batchReplanned, batchesSettled);
    expect(state.pots).toEqual([{ value: '1000000', next: 3, plans: [] }]);
    expect(state.settled).toEqual(batchesSettled.data.batches);
  });

  test('of tokens has refusals of its own: the same number stands for another payment', () => {
    const pots = runAllotted.data.pots.map((planned) => ({ ...planned, asset: 'token' as const }));
    const state = stateAfter(RunAllotted({ ...runAllotted.data, pots }), batchReplanned);
    expect(state.refused).toEqual({ 'token/1': 'under-rent-floor' });
    expect(paymentKey('token', 1)).toBe('token/1');
  });

  test('that nobody allotted is left alone', () => {
    expect(stateAfter(batchReplanned).pots).toEqual([]);
    const { pot, ...rest } = batchReplanned.data.batch;
    const unknown = BatchReplanned({ ...batchReplanned.data, batch: { ...rest, pot: pot + 9 } });
    expect(stateAfter(runAllotted, unknown).pots).toEqual(stateAfter(runAllotted).pots);
    expect(stateAfter(roundRecorded, batchesSettled).pots).toEqual([]);
  });
});
