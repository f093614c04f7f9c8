/** Converts percentages: numbers with at most two decimals in JSON, integer basis points internally. */

const AT_MOST_TWO_DECIMALS = /^(\d+)(?:\.(\d{1,2}))?$/;

/**
 * Converts 1.23 (percent) to 123 (basis points); undefined for numbers that are negative, not finite, too large to be exact, or
 * have more than two decimals. Checks no upper bound.
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

/** Converts 123 (basis points) to 1.23 (percent). */
export function percentFromBasisPoints(basisPoints: number): number {
  const digits = String(basisPoints).padStart(3, '0');
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
