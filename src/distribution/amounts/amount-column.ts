/** A column of amounts, eight bytes each: a run of a million holders has no object for each of them. */
export type AmountColumn = ReturnType<typeof createAmountColumn>;

export function createAmountColumn(length: number) {
  const amounts = new BigUint64Array(length);
  const requireIndex = (index: number) => {
    if (!Number.isInteger(index) || index < 0 || index >= length)
      throw new RangeError(`there is no amount ${index} among ${length}`);
  };
  function set(index: number, amount: bigint): void {
    requireIndex(index);
    if (BigInt.asUintN(64, amount) !== amount) throw new RangeError(`${amount} is no amount of 64 bits`);
    amounts[index] = amount;
  }
  return {
    length,
    /** Throws a RangeError outside the column. */
    get(index: number): bigint {
      requireIndex(index);
      return amounts[index] ?? 0n;
    },
    /** Throws a RangeError outside the column, and for an amount that has more than 64 bits or is negative. */
    set,
    /** All that the other column has. Throws a RangeError if that is longer. */
    copy(other: { readonly length: number; get(index: number): bigint }): void {
      for (let index = 0; index < other.length; index++) set(index, other.get(index));
    },
  };
}
