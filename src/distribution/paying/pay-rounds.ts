/**
 * Brings the recorded batches of a run onto the chain and says what landed, by its finalized transaction and its content alone. Keeps the
 * meter's two rules (`once/meter.ts`): a batch is planned only at a settled value that a finalized read has shown, and no other before.
 */
import {
  type AllottedRun,
  type DistributionRunState,
  RoundRecorded,
} from '../../streams/distribution-run.ts';
import { AGAIN, type Decision, isDecision, recordsOfRun } from '../decision.ts';
import type { OpenPot, Paying, PayingParts } from './paying.ts';
import { nextRound, openPlan, RECIPIENTS } from './plan-batches.ts';
import { settle } from './settle-batches.ts';
import { sendBatches } from './sign-batches.ts';

/** One step of a run's payments: a round is recorded before anything of it is signed. */
export async function payRound(parts: PayingParts, paying: Paying): Promise<Decision> {
  const { run, state } = paying;
  const { tokenId, runId } = run;
  const { recipients = RECIPIENTS } = parts.policy;
  const unsettled = potsWithPlans(run, state);
  if (unsettled.length === 0) {
    const batches = [...nextRound(run, state, recipients)];
    if (batches.length === 0) return AGAIN;
    return recordsOfRun(RoundRecorded({ tokenId, runId, round: state.rounds + 1, batches }));
  }
  const settled = await settle(parts, paying, unsettled);
  paying.memory.looks = isDecision(settled) && settled.kind === 'record-of-run' ? 0 : paying.memory.looks + 1;
  return isDecision(settled) ? settled : sendBatches(parts, paying, settled.pots);
}

function potsWithPlans(run: AllottedRun, state: DistributionRunState): readonly OpenPot[] {
  return run.pots.flatMap((planned, index) => {
    const progress = state.pots[index];
    return progress === undefined || openPlan(progress) === undefined ? [] : [{ index, planned, progress }];
  });
}
