/** Pots of a run that are not closed yet, with their finalized meters compared with the settled payments. */
import { reserveOf } from '../../chain/reserve.ts';
import type { DistributionState, RecordedLink } from '../../streams/distribution.ts';
import type { PlannedPot } from '../../streams/distribution-run.ts';
import { type Meter, meterOf, nameOf, paymentsOf, readPots } from '../paying/meters.ts';
import { type StepAt, slotReached, slotSettled } from '../view.ts';

export type OpenPots =
  /** Actions that close the pots, with the settled meters. */
  | { readonly actions: RecordedLink['actions'] }
  /** Pot that the node does not show, or whose meter exceeds the settled value because a settled payment is not on the chain. */
  | {
      readonly pot: string;
      readonly slot: bigint;
      readonly meter: Meter;
      readonly value: string;
    };

export async function readOpenPots({ parts, view, memory: { absences } }: StepAt): Promise<OpenPots> {
  const { state, run, token } = view;
  const isClosed = closedPots(state);
  const left = (run.allotted?.pots ?? []).flatMap((planned, index) => {
    const value = run.pots[index]?.value ?? planned.allowance;
    return isClosed(planned) ? [] : [{ planned, value }];
  });
  const atLeastSlot = slotSettled(run, slotReached(state));
  const actions: RecordedLink['actions'] = [];
  for await (const { pot, account, slot } of readPots(parts.chain, absences, left, atLeastSlot)) {
    const { planned, value } = pot;
    const meter = meterOf(account, planned, token);
    const doubt = { pot: planned.address, slot, meter, value };
    if (meter === 'missing') return doubt;
    absences.delete(nameOf(planned.address));
    if (meter > BigInt(value)) return doubt;
    absences.delete(paymentsOf(planned.address));
    // At 0 the token program has removed the delegate already.
    if (planned.asset === 'token' && value === '0') continue;
    actions.push(
      planned.asset === 'sol'
        ? { kind: 'close', pot: planned.address, left: value, rent: reserveOf(account).toString() }
        : { kind: 'revoke', delegate: planned.delegate, left: value },
    );
  }
  return { actions };
}

/** Pots whose close has landed permanently, or whose delegate was revoked. */
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
  // The token's own account is never closed; its delegate, the run's key, identifies the pot.
  return ({ asset, address, delegate }) => closed.has(asset === 'sol' ? address : delegate);
}
