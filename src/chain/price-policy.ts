/**
 * The priority price and the compute units of our transactions. Nodes report both, so both are bounded: a wrong answer makes a
 * transaction neither expensive nor certain to fail.
 */

/** More than the smallest of our transactions uses; fewer only save a part of the priority fee. */
const LEAST_UNITS = 40_000;
/** The most that a transaction may use. */
export const MOST_UNITS = 1_400_000;

/** Compute units that a simulation reports, within what is possible. */
export function boundUnits(unitsConsumed: number, most: number = MOST_UNITS): number {
  return Math.min(Math.max(unitsConsumed, LEAST_UNITS), most);
}

/** Microlamports per compute unit: the median of recent prices, at most the operator's maximum. */
export function computeUnitPrice(recent: readonly bigint[], maximum: bigint): bigint {
  const sorted = [...recent].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const median = sorted[sorted.length >> 1] ?? 0n;
  return median > maximum ? maximum : median;
}

/** The compute units used in simulation, with a margin for differences when the transaction runs. */
export function computeUnitLimit(unitsConsumed: number): number {
  return Math.ceil(unitsConsumed * 1.25) + 5_000;
}
