/** Pays, batch by batch: a batch is recorded before it is signed, and settled by what the chain shows as final. */
import { BatchesSettled, BatchReplanned, RoundRecorded } from '../../../streams/distribution-run.ts';
import { LOOK_PAUSE } from '../../engine-parts.ts';
import { payRound } from '../../paying/pay-rounds.ts';
import { pauseBeforeLook, type RoundProgress } from '../../paying/paying.ts';
import { failuresIn } from '../../sending/failures.ts';
import { AGAIN, type Decision, halts, recordsOfRun, waits } from '../decision.ts';
import { payingOf, payingParts } from '../paying-of.ts';
import type { StepAt } from '../step-at.ts';
import type { RunView } from '../view.ts';

export interface PayFacts {
  readonly progress: RoundProgress;
  /** Milliseconds until the next look, where nothing has moved. */
  readonly pause: number;
}

export async function lookAtPayments(at: StepAt): Promise<PayFacts> {
  const { allotted } = at.view.run;
  if (allotted === undefined) return { progress: { outcome: 'done' }, pause: 0 };
  const paying = await payingOf(at, allotted);
  const { failures } = paying.memory;
  const failed = failuresIn(failures);
  const progress = await payRound(payingParts(at.parts), paying);
  for (let each = failed; each < failuresIn(failures); each++)
    at.parts.counts.transaction('payment', 'failed');
  return { progress, pause: pauseBeforeLook(paying.memory, LOOK_PAUSE) };
}

export function decidePay(view: RunView, { progress, pause }: PayFacts): Decision {
  const { open, run } = view;
  const { tokenId, runId } = open;
  switch (progress.outcome) {
    case 'done':
      return AGAIN;
    case 'waiting':
      return waits(progress.for, pause);
    case 'unknown-payment':
      return halts('PAYMENT_UNKNOWN', progress.reason);
    case 'unpaid':
      return halts('BOOKS_DISAGREE', progress.reason);
    case 'pot-missing':
      return halts('POT_MISSING', progress.reason);
    case 'plan':
      return recordsOfRun(
        RoundRecorded({ tokenId, runId, round: run.rounds + 1, batches: [...progress.batches] }),
      );
    case 'replan': {
      const { batch, refused } = progress.replan;
      return recordsOfRun(BatchReplanned({ tokenId, runId, batch, refused: [...refused] }));
    }
    case 'settled':
      return recordsOfRun(BatchesSettled({ tokenId, runId, batches: [...progress.batches] }));
  }
}
