/** Adds up amounts as they are stored: digits, exact, whatever their length. A minus before one takes it away. */
export function sum(...digits: readonly string[]): string {
  return digits.reduce((total, each) => total + BigInt(each), 0n).toString();
}
