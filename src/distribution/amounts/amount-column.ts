/**
 * A column of amounts, eight bytes each: a run of a million holders has no object for each of them. Amounts are read and
 * written as two halves of 32 bits, because each bigint that is taken from an array is a new object.
 */

/** What one in the upper half is worth. */
export const HALF = 2 ** 32;

export interface AmountColumn {
  readonly length: number;
  /** Throws a RangeError outside the column. */
  get(index: number): bigint;
  /** Throws a RangeError outside the column, and for an amount that has more than 64 bits or is negative. */
  set(index: number, amount: bigint): void;
  /** The lower halves are at even places, the upper ones behind them. */
  readonly halves: Uint32Array;
}

export function createAmountColumn(length: number): AmountColumn {
  const amounts = new BigUint64Array(length);
  const requireIndex = (index: number) => {
    if (!Number.isInteger(index) || index < 0 || index >= length)
      throw new RangeError(`there is no amount ${index} among ${length}`);
  };
  return {
    length,
    get(index) {
      requireIndex(index);
      return amounts[index] ?? 0n;
    },
    set(index, amount) {
      requireIndex(index);
      if (BigInt.asUintN(64, amount) !== amount) throw new RangeError(`${amount} is no amount of 64 bits`);
      amounts[index] = amount;
    },
    halves: new Uint32Array(amounts.buffer),
  };
}

/** An amount as two halves, lower and upper. Throws a RangeError for more than 64 bits. */
export function halvesOf(amount: bigint): readonly [number, number] {
  if (BigInt.asUintN(64, amount) !== amount) throw new RangeError(`${amount} is no amount of 64 bits`);
  return [Number(amount & 0xffff_ffffn), Number(amount >> 32n)];
}

/** Whether the amount of these halves is `least`, or more. */
export function isAtLeast(lower: number, upper: number, least: readonly [number, number]): boolean {
  return upper > least[1] || (upper === least[1] && lower >= least[0]);
}

/** Adds amounts up exactly, without a bigint for each. */
export interface Sum {
  add(lower: number, upper: number): void;
  total(): bigint;
}

/** After so many additions the halves' sums could leave the whole numbers that a double holds. */
const EXACT_ADDITIONS = 2 ** 20;

export function createSum(): Sum {
  let lowers = 0;
  let uppers = 0;
  let additions = 0;
  let earlier = 0n;
  const total = () => earlier + BigInt(uppers) * BigInt(HALF) + BigInt(lowers);
  return {
    add(lower, upper) {
      lowers += lower;
      uppers += upper;
      additions += 1;
      if (additions < EXACT_ADDITIONS) return;
      earlier = total();
      lowers = 0;
      uppers = 0;
      additions = 0;
    },
    total,
  };
}
