/** Exact arithmetic of whole numbers of any size, with defined rounding. */

/** Rounds up. The dividend must not be negative, and the divisor must be positive. */
export function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Largest number whose square does not exceed the value, which must not be negative. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  // Newton's steps approach the root from above.
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Smallest number whose square is at least the value, which must not be negative. */
export function squareRootUp(value: bigint): bigint {
  const root = squareRoot(value);
  return root * root < value ? root + 1n : root;
}
