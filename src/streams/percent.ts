/** Percentages: JSON numbers with at most two decimals outside, integer basis points inside. */

const AT_MOST_TWO_DECIMALS = /^(\d+)(?:\.(\d{1,2}))?$/;

/**
 * 1.23 (percent) gives 123 (basis points); undefined for what is negative, not finite, too large to be exact, or
 * has more than two decimals. There is no upper bound here.
 *
 * The number is read as its shortest decimal text: `n * 100` makes 28.999999999999996 of 0.29.
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
