/** Arithmetic of whole numbers of any size that must be exact, and rounded the way that is said. */

/** Neither may be negative; the divisor is not 0. */
export function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** The largest number whose square is not above the value, which may not be negative. */
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

/** The smallest number whose square is not below the value, which may not be negative. */
export function squareRootUp(value: bigint): bigint {
  const root = squareRoot(value);
  return root * root < value ? root + 1n : root;
}
