/** Pots of a run that are still to be closed, with their finalized meters compared to what was settled. */
import { reserveOf } from '../../chain/reserve.ts';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { DistributionState, RecordedLink } from '../../streams/distribution.ts';
import type { PlannedPot } from '../../streams/distribution-run.ts';
import { meterOf, nameOf, paymentsOf } from '../paying/meters.ts';
import { slotReached, slotSettled } from '../slot-reached.ts';
import type { StepAt } from './step-at.ts';

const ACCOUNTS_PER_READ = 100;

export type PotsLeft =
  /** What closes them, with the meters as they were settled. */
  | { readonly outcome: 'shown'; readonly actions: RecordedLink['actions'] }
  | { readonly outcome: 'hidden'; readonly pot: string; readonly slot: bigint }
  /** The meter shows more than was settled, so that a settled payment is not on the chain. */
  | {
      readonly outcome: 'unpaid';
      readonly pot: string;
      readonly meter: bigint;
      readonly value: string;
      readonly slot: bigint;
    };

export async function lookAtPots({ parts, view, memory: { absences } }: StepAt): Promise<PotsLeft> {
  const { state, run, token } = view;
  const isClosed = closedPots(state);
  const left = (run.allotted?.pots ?? []).flatMap((planned, index) => {
    const value = run.pots[index]?.value ?? planned.allowance;
    return isClosed(planned) ? [] : [{ planned, value }];
  });
  const atLeastSlot = slotSettled(run, slotReached(state));
  const actions: RecordedLink['actions'] = [];
  for (let from = 0; from < left.length; from += ACCOUNTS_PER_READ) {
    const page = left.slice(from, from + ACCOUNTS_PER_READ);
    const { slot, accounts } = await parts.chain.accountsAt(
      page.map(({ planned }) => planned.address),
      'finalized',
      {
        atLeastSlot,
        elsewhere: page.some(
          ({ planned: { address } }) => absences.has(nameOf(address)) || absences.has(paymentsOf(address)),
        ),
      },
    );
    for (const [index, { planned, value }] of page.entries()) {
      const account = accounts[index];
      const shown = account && readTokenAccount(account);
      const meter = meterOf(account, planned, token);
      if (shown === undefined || meter === 'missing')
        return { outcome: 'hidden', pot: planned.address, slot };
      absences.delete(nameOf(planned.address));
      if (meter > BigInt(value)) return { outcome: 'unpaid', pot: planned.address, meter, value, slot };
      absences.delete(paymentsOf(planned.address));
      // With nothing left the delegate is gone already.
      if (planned.asset === 'token' && value === '0') continue;
      actions.push(
        planned.asset === 'sol'
          ? { kind: 'close', pot: planned.address, left: value, rent: reserveOf(account).toString() }
          : { kind: 'revoke', delegate: planned.delegate, left: value },
      );
    }
  }
  return { outcome: 'shown', actions };
}

/** Whether the close of a pot has landed for good, or its delegate's approval was taken back. */
export function closedPots({
  landed,
}: Pick<DistributionState, 'landed'>): (pot: Pick<PlannedPot, 'asset' | 'address' | 'delegate'>) => boolean {
  const actions = landed.flatMap(({ links }) => links.flatMap((link) => link.actions));
  const closed = new Set(
    actions.flatMap((action) => {
      if (action.kind === 'close') return [action.pot];
      return action.kind === 'revoke' ? [action.delegate] : [];
    }),
  );
  // The token's own account stays: it is the delegate that was made for the run.
  return ({ asset, address, delegate }) => closed.has(asset === 'sol' ? address : delegate);
}
