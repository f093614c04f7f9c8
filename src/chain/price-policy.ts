/** What our transactions offer for priority: what others lately paid in the middle, never more than the operator allows. */

/** Micro-lamports per compute unit. */
export function computeUnitPrice(recent: readonly bigint[], maximum: bigint): bigint {
  const sorted = [...recent].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const median = sorted[sorted.length >> 1] ?? 0n;
  return median > maximum ? maximum : median;
}

/** A simulation's figure with room for what may differ when it counts. */
export function computeUnitLimit(unitsConsumed: number): number {
  return Math.ceil(unitsConsumed * 1.25) + 5_000;
}
