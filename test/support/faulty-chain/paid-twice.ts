/** Accounts that a pot paid more than once, computed from all landed transactions, independently of log and ledger. */
import { actionsOf } from '../decode-actions.ts';
import type { ForkingLedger } from './forking-ledger.ts';

export interface PaymentRules {
  /** Maximum number of payments of a run to the account: one for each capacity. */
  readonly capacitiesOf: (to: string) => number;
  /** Accounts whose transfers are sales. */
  readonly seller: string;
}

const ONCE_EACH: PaymentRules = { capacitiesOf: () => 1, seller: '' };

/** A pot, or the key of a run, pays each recipient once in each capacity. */
export function paidTwice(
  ledger: ForkingLedger,
  { capacitiesOf, seller }: PaymentRules = ONCE_EACH,
): readonly string[] {
  const seen = new Map<string, number>();
  const twice: string[] = [];
  for (const { wire, error } of ledger.at(ledger.finalized()).transactions()) {
    if (error !== undefined) continue;
    for (const action of actionsOf(wire)) {
      const isPayment =
        action.kind === 'unwrap' ||
        (action.kind === 'move' && action.fee !== undefined && action.authority !== seller);
      if (!isPayment || action.from === action.to) continue;
      const key = `${action.authority} pays ${action.to} from ${action.from}`;
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      if (times > capacitiesOf(action.to)) twice.push(key);
    }
  }
  return twice;
}
