/** The last slot that the log knows of for a token: whatever the chain shows of an earlier one is out of date. */
import type { DistributionState } from '../streams/distribution.ts';

/** 0 before its first link has landed. */
export function slotReached({ till }: Pick<DistributionState, 'till'>): bigint {
  return BigInt(till?.slot ?? '0');
}
