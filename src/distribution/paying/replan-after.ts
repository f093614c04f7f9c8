/** Plans a batch anew that the chain refused because of a recipient. Pure. */
import { type DistributionRunState, type PlannedBatch, paymentKey } from '../../streams/distribution-run.ts';
import { judgeRefusal } from './judge-refusal.ts';
import type { OpenPot, Replan } from './paying.ts';
import type { PaymentBook } from './payment-book.ts';
import { batchFrom, RECIPIENTS } from './plan-batches.ts';

/** A transaction that failed. */
export interface Failed {
  readonly plan: PlannedBatch;
  /** JSON text, as the chain's port gives it. */
  readonly error: string;
  readonly wire: Uint8Array;
}

/** Another plan for the same value; undefined where no recipient is at fault. `recipients`: of a transaction. */
export function replanAfter(
  { book, state }: { readonly book: PaymentBook; readonly state: Pick<DistributionRunState, 'refused'> },
  { index, planned }: Pick<OpenPot, 'index' | 'planned'>,
  { plan, error, wire }: Failed,
  recipients: typeof RECIPIENTS = RECIPIENTS,
): Replan | undefined {
  const payments = book.paymentsOf(planned.asset, plan);
  const verdict = judgeRefusal(error, planned.asset, payments, wire);
  if (verdict.outcome === 'not-a-recipient') return undefined;
  const numbers = book.numbersOf(plan);
  if (verdict.outcome === 'somebody') {
    const half = batchFrom(state, plan, planned, Math.ceil(numbers.length / 2));
    return half === undefined ? undefined : { batch: half, refused: [] };
  }
  const number = numbers[verdict.place];
  if (number === undefined) return undefined;
  const refused = [{ number, refusal: verdict.refusal }];
  const left = plan.without.concat(number).sort((a, b) => a - b);
  const batch =
    numbers.length > 1
      ? { ...plan, without: left }
      : batchFrom(
          { refused: { ...state.refused, [paymentKey(planned.asset, number)]: verdict.refusal } },
          { pot: index, value: plan.value, from: plan.from },
          planned,
          recipients[planned.asset],
        );
  // Where nobody is left, the recorded refusal ends the pot.
  return { batch: batch ?? { ...plan, without: left }, refused };
}
