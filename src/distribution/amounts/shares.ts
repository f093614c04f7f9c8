/** Divides an amount among weights: each share is `amount * weight / sum of weights`, rounded down, and exact. */
import type { AmountColumn } from './amount-column.ts';

export interface Division {
  readonly amount: bigint;
  readonly weights: AmountColumn;
  /** At least the sum of the weights; not 0. */
  readonly sumOfWeights: bigint;
  /** Shares below it are written as 0: their amount stays undivided. */
  readonly leastShare: bigint;
  readonly shares: AmountColumn;
}

/** Writes the shares from `from` to before `to`, and returns their sum. */
export function divide(division: Division, from: number, to: number): bigint {
  const { amount, weights, sumOfWeights, leastShare, shares } = division;
  let sum = 0n;
  for (let index = from; index < to; index++) {
    const exact = (amount * weights.get(index)) / sumOfWeights;
    const share = exact >= leastShare ? exact : 0n;
    shares.set(index, share);
    sum += share;
  }
  return sum;
}
