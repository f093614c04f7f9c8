/** What a holder's balance weighs when an amount is divided: the balance itself, or its square root. */
import { squareRoot } from '../../chain/whole-numbers.ts';
import type { DistributionSettings } from '../../streams/distribution-settings.ts';

/** Up to here the square root of a double is that of the whole number, and much faster. */
const EXACT_ROOTS_BELOW = 2n ** 52n;

export function weightOf(model: DistributionSettings['distributionModel'], balance: bigint): bigint {
  if (model === 'proportional') return balance;
  return balance < EXACT_ROOTS_BELOW ? BigInt(Math.floor(Math.sqrt(Number(balance)))) : squareRoot(balance);
}
