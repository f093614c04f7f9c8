/** What a run costs the distributor in fees, estimated before it begins. Pure. */
import { ACCOUNTS_PER_HARVEST } from './collecting/harvest-tax.ts';
import { RECIPIENTS } from './paying/plan-batches.ts';
import { POTS_PER_CLOSE, POTS_PER_OPEN } from './pots.ts';
import { SIGNATURE_FEE } from './sending/sender.ts';

/** Lamports. `priority`: what a transaction pays beside its signatures. */
export function estimateFees(run: {
  readonly withWithheld: number;
  readonly owners: number;
  readonly pots: number;
  readonly isFirst: boolean;
}): bigint {
  const { withWithheld, owners, pots, isFirst } = run;
  const harvests = Math.ceil(withWithheld / ACCOUNTS_PER_HARVEST);
  const payments = Math.ceil(owners / RECIPIENTS.sol);
  // The withdrawal, the split and, once, the first link.
  const links =
    1 + 1 + (isFirst ? 1 : 0) + Math.ceil(pots / POTS_PER_OPEN) + Math.ceil(pots / POTS_PER_CLOSE);
  return SIGNATURE_FEE * BigInt(harvests + payments + 2 * links);
}
