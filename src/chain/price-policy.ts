/**
 * Priority price and compute units of the service's transactions. Nodes report both. The bounds prevent a wrong
 * response from making a transaction expensive, or certain to fail.
 */

/** Minimum compute units. The smallest transaction uses less, but a lower minimum would save only a part of the priority fee. */
const MIN_UNITS = 40_000;
/** Maximum compute units of a transaction. */
export const MAX_UNITS = 1_400_000;

/** Limits simulated compute units to the possible range. */
export function boundUnits(unitsConsumed: number, most: number = MAX_UNITS): number {
  return Math.min(Math.max(unitsConsumed, MIN_UNITS), most);
}

/** Microlamports per compute unit: the median of recent prices, at most the operator's maximum. */
export function computeUnitPrice(recent: readonly bigint[], maximum: bigint): bigint {
  const sorted = [...recent].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const median = sorted[sorted.length >> 1] ?? 0n;
  return median > maximum ? maximum : median;
}

/** Compute unit limit for simulated compute units, with a margin for differences at execution. */
export function computeUnitLimit(unitsConsumed: number): number {
  return Math.ceil(unitsConsumed * 1.25) + 5_000;
}
