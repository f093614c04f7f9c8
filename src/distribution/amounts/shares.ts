/**
 * Divides an amount among weights: each share is `amount * weight / sum of weights`, rounded down, and exact. A double
 * estimates the share; only where its error could reach the next whole number is the share computed with bigints.
 */
import { type AmountColumn, createSum, HALF, type Sum } from './amount-column.ts';

/**
 * Three roundings of the inputs and two of the operations, each at most 2^-53 of the share, and room for those of the
 * comparison itself.
 */
const RELATIVE_ERROR = 2 ** -50;

export interface Division {
  /** At most 64 bits. */
  readonly amount: bigint;
  readonly weights: AmountColumn;
  /** At least the sum of the weights; not 0. */
  readonly sumOfWeights: bigint;
  /** Shares below it are written as 0: their amount stays undivided. */
  readonly leastShare: bigint;
  readonly shares: AmountColumn;
  /** Everything that was written so far. */
  readonly sumOfShares: Sum;
}

export function beginDivision(division: Omit<Division, 'sumOfShares'>): Division {
  if (division.sumOfWeights <= 0n) throw new RangeError('nothing weighs anything');
  return { ...division, sumOfShares: createSum() };
}

/** Writes the shares from `from` to before `to`; each may be written once. */
export function divide(division: Division, from: number, to: number): void {
  const { amount, weights, sumOfWeights, shares, sumOfShares } = division;
  const [roundAmount, roundSum] = [Number(amount), Number(sumOfWeights)];
  const least = Number(division.leastShare);
  const [inWeights, inShares] = [weights.halves, shares.halves];
  for (let index = from; index < to; index++) {
    const place = 2 * index;
    const estimate =
      (roundAmount * ((inWeights[place] ?? 0) + (inWeights[place + 1] ?? 0) * HALF)) / roundSum;
    const error = estimate * RELATIVE_ERROR;
    const share = Math.floor(estimate - error);
    if (share !== Math.floor(estimate + error)) {
      writeExactly(division, index);
    } else if (share >= least) {
      const upper = Math.floor(share / HALF);
      inShares[place] = share - upper * HALF;
      inShares[place + 1] = upper;
    } else {
      inShares[place] = 0;
      inShares[place + 1] = 0;
    }
    sumOfShares.add(inShares[place] ?? 0, inShares[place + 1] ?? 0);
  }
}

function writeExactly({ amount, weights, sumOfWeights, leastShare, shares }: Division, index: number): void {
  const share = (amount * weights.get(index)) / sumOfWeights;
  shares.set(index, share >= leastShare ? share : 0n);
}
