/** The priority price of our transactions: the median of recent prices, at most the operator's maximum. */

/** Microlamports per compute unit. */
export function computeUnitPrice(recent: readonly bigint[], maximum: bigint): bigint {
  const sorted = [...recent].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const median = sorted[sorted.length >> 1] ?? 0n;
  return median > maximum ? maximum : median;
}

/** The compute units used in simulation, with a margin for differences when the transaction runs. */
export function computeUnitLimit(unitsConsumed: number): number {
  return Math.ceil(unitsConsumed * 1.25) + 5_000;
}
