/** Pays, batch by batch: a batch is recorded before it is signed, and settled by what the chain shows as final. */

import { AGAIN, type Decision, waits } from '../../decision.ts';
import { LOOK_PAUSE } from '../../engine-parts.ts';
import { payRound } from '../../paying/pay-rounds.ts';
import { pauseBeforeLook } from '../../paying/paying.ts';
import { failuresIn } from '../../sending/failures.ts';
import { payingOf } from '../paying-of.ts';
import type { StepAt } from '../step-at.ts';

export async function pay(at: StepAt): Promise<Decision> {
  const { allotted } = at.view.run;
  if (allotted === undefined) return AGAIN;
  const paying = await payingOf(at, allotted);
  const { failures } = paying.memory;
  const failed = failuresIn(failures);
  const decision = await payRound(at.parts, paying);
  for (let each = failed; each < failuresIn(failures); each++)
    at.parts.counts.transaction('payment', 'failed');
  // Transactions that are sent together become final together: each read that shows nothing new doubles the pause.
  return decision.kind === 'wait'
    ? waits(decision.waiting.for, pauseBeforeLook(paying.memory, LOOK_PAUSE))
    : decision;
}
