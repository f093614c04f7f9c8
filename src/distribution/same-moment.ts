/** Whether a decision still holds at the moment when it is recorded: another process may have recorded something meanwhile. */
import type { DistributionState } from '../streams/distribution.ts';

/** Nothing was recorded since that bears on what comes next. */
export function isSameMoment(current: DistributionState, seen: DistributionState): boolean {
  return (
    current.open?.runId === seen.open?.runId &&
    current.till?.address === seen.till?.address &&
    current.pending.length === seen.pending.length &&
    current.landed.length === seen.landed.length
  );
}
