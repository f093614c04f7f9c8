/** The gauges of distributions. */
import { RUN_STEPS, type RunStep } from '../../streams/distribution-step.ts';
import { WAITS } from '../../streams/distribution-wait.ts';
import { lagOf } from '../watched-distributions.ts';
import { ageOf, nothing, type StateParts } from './state-instruments.ts';

export const distributionParts: StateParts = {
  async distributions({ distributions }, { gauges, totals }) {
    if (distributions === undefined) return nothing;
    const seen = await distributions.watch.look();
    return () => {
      gauges.distributorFloor.set(Number(distributions.floor));
      gauges.distributionsAllHalted.set(seen.allHaltedSince === undefined ? 0 : 1);
      for (const [code, count] of Object.entries(seen.halted))
        gauges.distributionsHalted.set({ code }, count);
      for (const [asset, owed] of Object.entries(seen.totals.owed))
        gauges.distributionOwed.set({ asset }, Number(owed));
      totals.write(seen.totals);
    };
  },

  async 'open runs'({ distributions, clock }, { gauges }) {
    const runs = await distributions?.openRuns.look();
    if (runs === undefined) return nothing;
    return () => {
      gauges.distributionStuck.set(runs.stuck.length);
      for (const step of Object.keys(RUN_STEPS) as RunStep[]) {
        const oldest = step === 'announce' ? undefined : runs.oldest.get(step);
        gauges.distributionOpenRuns.set({ step }, runs.counts.get(step) ?? 0);
        gauges.distributionStepAge.set({ step }, oldest === undefined ? 0 : ageOf(oldest.movedAt, clock));
      }
      for (const { code, since } of runs.waits)
        gauges.distributionWaiting.set({ code, kind: WAITS[code].kind }, ageOf(since, clock));
    };
  },

  async 'running distributions'({ distributions, clock }, { gauges }) {
    const overview = distributions?.progress()?.overview();
    if (overview === undefined) return nothing;
    const { oldestDue, unsettled, chainUnsuitable, witness } = overview;
    return () => {
      gauges.distributionLag.set(lagOf(oldestDue, clock.now()) / 1_000);
      gauges.distributionUnsettled.set(unsettled.batches);
      gauges.distributionOldestBatch.set(unsettled.since === undefined ? 0 : ageOf(unsettled.since, clock));
      gauges.distributionChainSuitable.set(chainUnsuitable === undefined ? 1 : 0);
      if (witness !== undefined) gauges.distributionWitness.set(witness.state === 'agrees' ? 1 : 0);
    };
  },

  async distributor({ distributions }, { gauges }) {
    const lamports = await distributions?.balance();
    return () => {
      if (lamports !== undefined) gauges.distributorBalance.set(Number(lamports));
    };
  },
};
