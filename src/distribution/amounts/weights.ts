/** What a holder's balance weighs when an amount is divided: the balance itself, or its square root. */
import { squareRoot } from '../../chain/whole-numbers.ts';
import type { DistributionSettings } from '../../streams/distribution-settings.ts';
import { type AmountColumn, HALF } from './amount-column.ts';

/** Up to here the square root of a double is that of the whole number. */
const EXACT_ROOTS_BELOW = 2 ** 52;

/**
 * Writes the weight of each balance from `from` to before `to`; both columns may be the same. A column is done in
 * slices, so that nothing else waits for a million of them.
 */
export function weigh(
  model: DistributionSettings['distributionModel'],
  balances: AmountColumn,
  weights: AmountColumn,
  from: number,
  to: number,
): void {
  if (model === 'proportional') {
    weights.halves.set(balances.halves.subarray(2 * from, 2 * to), 2 * from);
    return;
  }
  for (let index = from; index < to; index++) {
    const balance = (balances.halves[2 * index] ?? 0) + (balances.halves[2 * index + 1] ?? 0) * HALF;
    if (balance < EXACT_ROOTS_BELOW) {
      weights.halves[2 * index] = Math.floor(Math.sqrt(balance));
      weights.halves[2 * index + 1] = 0;
    } else {
      weights.set(index, squareRoot(balances.get(index)));
    }
  }
}
