/** Column of 64-bit amounts, eight bytes each: a run may have a million holders. */
export type AmountColumn = ReturnType<typeof createAmountColumn>;

export function createAmountColumn(length: number) {
  const amounts = new BigUint64Array(length);
  const requireIndex = (index: number) => {
    if (!Number.isInteger(index) || index < 0 || index >= length)
      throw new RangeError(`amount index ${index} is out of range (${length} amounts)`);
  };
  function set(index: number, amount: bigint): void {
    requireIndex(index);
    if (BigInt.asUintN(64, amount) !== amount)
      throw new RangeError(`${amount} is not an unsigned 64-bit amount`);
    amounts[index] = amount;
  }
  return {
    length,
    /** Throws a RangeError outside the column. */
    get(index: number): bigint {
      requireIndex(index);
      return amounts[index] ?? 0n;
    },
    /** Throws a RangeError for an index outside the column, and for an amount that is negative or exceeds 64 bits. */
    set,
    /** Copies all amounts of the other column. Throws a RangeError if that column is longer. */
    copy(other: { readonly length: number; get(index: number): bigint }): void {
      for (let index = 0; index < other.length; index++) set(index, other.get(index));
    },
  };
}
