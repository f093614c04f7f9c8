/** Adds amounts in their stored form: decimal digits, exact, of any length. A leading minus subtracts the amount. */
export function sumAmounts(...digits: readonly string[]): string {
  return digits.reduce((total, each) => total + BigInt(each), 0n).toString();
}
