/** The last slot that the log knows of for a token: whatever the chain shows of an earlier one is out of date. */
import type { DistributionState } from '../streams/distribution.ts';
import type { DistributionRunState } from '../streams/distribution-run.ts';

/** 0 before its first link has landed. */
export function slotReached({ till }: Pick<DistributionState, 'till'>): bigint {
  return BigInt(till?.slot ?? '0');
}

/** The slot of the run's last settled payment, or the given one if that is later: an older node would show higher meters. */
export function slotSettled({ settled }: Pick<DistributionRunState, 'settled'>, opened: bigint): bigint {
  return settled.reduce((latest, { slot }) => (BigInt(slot) > latest ? BigInt(slot) : latest), opened);
}
