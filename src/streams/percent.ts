/** Percentages: JSON numbers with at most two decimals outside, integer basis points inside. */

const AT_MOST_TWO_DECIMALS = /^(\d+)(?:\.(\d{1,2}))?$/;

/**
 * 1.23 (percent) gives 123 (basis points); undefined for numbers that are negative, not finite, too large to be exact,
 * or have more than two decimals. There is no upper bound here.
 *
 * Reads the number's shortest decimal text, because `0.29 * 100` gives 28.999999999999996.
 */
export function basisPointsFromPercent(percent: number): number | undefined {
  const match = AT_MOST_TWO_DECIMALS.exec(String(percent));
  if (match === null) return undefined;
  const [, whole = '', decimals = ''] = match;
  const basisPoints = Number(whole + decimals.padEnd(2, '0'));
  return Number.isSafeInteger(basisPoints) ? basisPoints : undefined;
}

/** 123 (basis points) gives 1.23 (percent). */
export function percentFromBasisPoints(basisPoints: number): number {
  const digits = String(basisPoints).padStart(3, '0');
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
