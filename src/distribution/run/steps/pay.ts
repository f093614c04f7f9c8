/** Pays in batches: records each batch before it is signed, and settles it by finalized chain state. */

import {
  type AllottedRun,
  type DistributionRunState,
  RoundRecorded,
} from '../../../streams/distribution-run.ts';
import { AGAIN, type Decision, isDecision, recordsOfRun, waits } from '../../decision.ts';
import { type OpenPot, type Paying, type PayingParts, pauseBeforeRead } from '../../paying/paying-memory.ts';
import { nextRound, openPlan } from '../../paying/plan-batches.ts';
import { settle } from '../../paying/settle-batches.ts';
import { sendBatches } from '../../paying/sign-batches.ts';
import { failuresIn } from '../../sending/failures.ts';
import type { StepAt } from '../../view.ts';
import { payingFor } from '../open-payments.ts';

export async function pay(at: StepAt): Promise<Decision> {
  const { allotted } = at.view.run;
  if (allotted === undefined) return AGAIN;
  const paying = await payingFor(at, allotted);
  const { failures } = paying.memory;
  const failed = failuresIn(failures);
  const decision = await payRound(at.parts, paying);
  for (let each = failed; each < failuresIn(failures); each++)
    at.parts.counts.transaction('payment', 'failed');
  // Transactions that are sent together become final together: each read that shows nothing new doubles the pause.
  return decision.kind === 'wait'
    ? waits(decision.waiting.for, pauseBeforeRead(paying.memory, decision.waiting.pause))
    : decision;
}

/**
 * Performs one step of a run's payments. A round is recorded before any of it is signed. A batch is planned only at a settled
 * value that a finalized read has shown, as the first rule of `once/meter.ts` requires.
 */
async function payRound(parts: PayingParts, paying: Paying): Promise<Decision> {
  const { run, state } = paying;
  const { tokenId, runId } = run;
  const { recipients } = parts.policy;
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
