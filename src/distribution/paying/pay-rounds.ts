/**
 * Brings the recorded batches of a run onto the chain and says what landed, by its finalized transaction and its content alone. Keeps the
 * meter's two rules (`once/meter.ts`): a batch is planned only at a settled value that a finalized read has shown, and no other before.
 */
import type { AllottedRun, DistributionRunState } from '../../streams/distribution-run.ts';
import type { OpenPot, Paying, PayingParts, RoundProgress } from './paying.ts';
import { nextRound, openPlan, RECIPIENTS } from './plan-batches.ts';
import { settle } from './settle-batches.ts';
import { sendBatches } from './sign-batches.ts';

/** One step of a run's payments. Resolves with what is to be recorded, or with what is being waited for. */
export async function payRound(parts: PayingParts, paying: Paying): Promise<RoundProgress> {
  const { run, state } = paying;
  const { recipients = RECIPIENTS } = parts;
  const unsettled = potsWithPlans(run, state);
  if (unsettled.length === 0) {
    const batches = nextRound(run, state, recipients);
    return batches.length === 0 ? { outcome: 'done' } : { outcome: 'plan', batches };
  }
  const settled = await settle(parts, paying, unsettled);
  paying.memory.looks = settled.outcome === 'settled' ? 0 : paying.memory.looks + 1;
  if (settled.outcome !== 'unchanged') return settled;
  return sendBatches(parts, paying, settled.pots);
}

function potsWithPlans(run: AllottedRun, state: DistributionRunState): readonly OpenPot[] {
  return run.pots.flatMap((planned, index) => {
    const progress = state.pots[index];
    return progress === undefined || openPlan(progress) === undefined ? [] : [{ index, planned, progress }];
  });
}
