/** Plans pots and batches: the payments of each pot, and the payments of its next transaction. Pure. */
import type { RewardAsset } from '../../streams/distribution.ts';
import {
  type AllottedRun,
  type DistributionRunState,
  type PlannedBatch,
  type PlannedPot,
  type PotProgress,
  paymentKey,
} from '../../streams/distribution-run.ts';

/** Maximum number of recipients in a transaction of version 1. */
export const RECIPIENTS: { readonly [asset in RewardAsset]: number } = { sol: 61, token: 59 };
/** Number of transactions that justify a separate pot: a pot's next batch starts only after the previous one is final. */
const BATCHES_PER_POT = 2;

/** Range of each pot's payments, divided between full batches as evenly as possible. */
export function rangesOf(
  payments: number,
  recipients: number,
  maxPots: number,
): readonly { readonly from: number; readonly to: number }[] {
  if (payments === 0) return [];
  const batches = Math.ceil(payments / recipients);
  const pots = Math.max(1, Math.min(maxPots, Math.ceil(batches / BATCHES_PER_POT)));
  return Array.from({ length: pots }, (_, index) => ({
    from: Math.floor((batches * index) / pots) * recipients,
    to: Math.min(payments, Math.floor((batches * (index + 1)) / pots) * recipients),
  }));
}

/** Next transaction of the pot; undefined if no payments remain, or if the chain has refused all that do. */
function nextBatch(
  state: Pick<DistributionRunState, 'pots' | 'refused'>,
  pot: number,
  planned: Pick<PlannedPot, 'asset' | 'to'>,
  recipients: number,
): PlannedBatch | undefined {
  const progress = state.pots[pot];
  if (progress === undefined) return undefined;
  return batchFrom(state, { pot, value: progress.value, from: progress.next }, planned, recipients);
}

/** The next `recipients` payments from `from` on, less those that the chain has refused. */
export function batchFrom(
  { refused }: Pick<DistributionRunState, 'refused'>,
  { pot, value, from }: Pick<PlannedBatch, 'pot' | 'value' | 'from'>,
  { asset, to: end }: Pick<PlannedPot, 'asset' | 'to'>,
  recipients: number,
): PlannedBatch | undefined {
  const without: number[] = [];
  let paid = 0;
  let to = from;
  for (; to < end && paid < recipients; to++) {
    if (paymentKey(asset, to) in refused) without.push(to);
    else paid += 1;
  }
  return paid === 0 ? undefined : { pot, value, from, to, without };
}

/** Latest plan of a pot, which may land. Undefined if there is no plan, or nothing left to sign. */
export function openPlan(progress: PotProgress | undefined): PlannedBatch | undefined {
  const plan = progress?.plans.at(-1);
  // A plan without payments was recorded with the refusal of the last recipient.
  return plan === undefined || plan.without.length === plan.to - plan.from ? undefined : plan;
}

/** Next transaction of each pot that has payments left. */
export function nextRound(
  { pots }: Pick<AllottedRun, 'pots'>,
  state: Pick<DistributionRunState, 'pots' | 'refused'>,
  recipients: typeof RECIPIENTS,
): readonly PlannedBatch[] {
  return pots.flatMap((planned, pot) => nextBatch(state, pot, planned, recipients[planned.asset]) ?? []);
}

/** True if no payment of the run is pending and none is left, except those that the chain refused. */
export function isAllPaid(
  allotted: Pick<AllottedRun, 'pots'>,
  state: Pick<DistributionRunState, 'pots' | 'refused'>,
  recipients: typeof RECIPIENTS,
): boolean {
  return (
    state.pots.every((progress) => openPlan(progress) === undefined) &&
    nextRound(allotted, state, recipients).length === 0
  );
}

/** Key of a batch in `PayingMemory`. */
export function batchKey({ pot, value, from, to, without }: PlannedBatch): string {
  return `${pot}/${value}/${from}/${to}/${without.join()}`;
}
