/** A column of amounts, eight bytes each: a run of a million holders has no object for each of them. */
export interface AmountColumn {
  readonly length: number;
  /** Throws a RangeError outside the column. */
  get(index: number): bigint;
  /** Throws a RangeError outside the column, and for an amount that has more than 64 bits or is negative. */
  set(index: number, amount: bigint): void;
  /** All that the other column has. Throws a RangeError if that is longer. */
  copy(other: AmountColumn): void;
}

export function createAmountColumn(length: number): AmountColumn {
  const amounts = new BigUint64Array(length);
  const requireIndex = (index: number) => {
    if (!Number.isInteger(index) || index < 0 || index >= length)
      throw new RangeError(`there is no amount ${index} among ${length}`);
  };
  const column: AmountColumn = {
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
    copy(other) {
      for (let index = 0; index < other.length; index++) column.set(index, other.get(index));
    },
  };
  return column;
}
