/** Finds out whether the key of a run can pay the fee of its next payment. */
import type { PlannedBatch, PlannedPot } from '../../streams/distribution-run.ts';
import { waitFor } from '../../streams/distribution-wait.ts';
import { isConfirmed, isGone, PUT_OFF } from '../absences.ts';
import { isDry, paymentsToLend } from '../run-keys/lending.ts';
import type { Paying, PayingParts, RoundProgress } from './paying.ts';
import { RECIPIENTS } from './plan-batches.ts';

/** Undefined while the run's key can pay the fee. */
export async function dryKey(
  {
    chain,
    now,
    recipients = RECIPIENTS,
    ...policy
  }: Pick<PayingParts, 'chain' | 'now' | 'recipients' | 'paymentsLent'>,
  { memory, absences }: Pick<Paying, 'memory' | 'absences'>,
  next: { readonly planned: PlannedPot; readonly plan: PlannedBatch; readonly fee: bigint },
): Promise<Extract<RoundProgress, { outcome: 'key-dry' | 'waiting' }> | undefined> {
  const { planned, plan, fee } = next;
  const { delegate: key } = planned;
  // Final, and not before the last loan was: an older look would ask for lamports that have come already.
  const name = `the key ${key}`;
  const { slot, accounts } = await chain.accountsAt([key], 'finalized', {
    atLeastSlot: memory.slot,
    elsewhere: absences.has(name),
  });
  // A payer keeps its rent, so that its account is there: a node that hides it would have it lent more and more.
  if (accounts[0] === undefined && !isGone(absences, name, { slot, at: now() }))
    return {
      outcome: 'waiting',
      for: waitFor('node-behind', `The chain node does not show the key ${key} at slot ${slot}.`),
    };
  absences.delete(name);
  const rent = await chain.rentExemption(0);
  const shortage = `the lamports of ${key}`;
  if (!isDry({ held: accounts[0]?.lamports ?? 0n, rent, fee })) {
    absences.delete(shortage);
    return undefined;
  }
  const isSeen = accounts[0] !== undefined;
  if (isSeen && !isConfirmed(absences, shortage, { slot, at: now(), verdict: 'dry' }, PUT_OFF))
    return {
      outcome: 'waiting',
      for: waitFor('node-behind', `The chain node shows too few lamports in the key ${key} at slot ${slot}.`),
    };
  absences.delete(shortage);
  const left = Math.ceil((planned.to - plan.from) / recipients.token);
  return { outcome: 'key-dry', key, payments: paymentsToLend(left, policy) };
}
