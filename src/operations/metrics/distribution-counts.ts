/** Counts what the distribution engine of this process does, by outcome. */
import {
  type DistributionCounts,
  SCAN_OUTCOMES,
  TRANSACTION_KINDS,
  TRANSACTION_OUTCOMES,
} from '../../distribution/services.ts';
import { QUOTE_REFUSALS, RUN_REFUSALS } from '../../streams/unsold-reasons.ts';
import type { Instruments } from './instruments.ts';

export function createDistributionCounts({ counter }: Instruments): DistributionCounts {
  const scans = counter(
    'levy_distribution_scans_total',
    ['outcome'],
    'Looks at all accounts of a token: "complete", "inconsistent" ones that are read again in one answer, "failed" ones, and those that do not add up to the supply: "disagrees". By this process.',
  );
  const transactions = counter(
    'levy_distribution_transactions_total',
    ['kind', 'outcome'],
    'Transactions of distributions: "harvest", "withdraw", "link", "payment"; "sent" (again each time), "landed", "refused" by the chain, "failed" on the chain at the cost of a fee. By this process.',
  );
  const sales = counter(
    'levy_distribution_sales_total',
    ['outcome'],
    'Runs that had tax to sell: "sold", or why nothing was sold, as in `GET /distribution/:tokenId/runs/:runId`. By this process.',
  );
  // From 0, so that the first one is an increase.
  for (const outcome of SCAN_OUTCOMES) scans.inc({ outcome }, 0);
  for (const kind of TRANSACTION_KINDS)
    for (const outcome of TRANSACTION_OUTCOMES) transactions.inc({ kind, outcome }, 0);
  for (const outcome of ['sold', ...Object.keys(QUOTE_REFUSALS), ...Object.keys(RUN_REFUSALS)])
    sales.inc({ outcome }, 0);
  return {
    scanned: (outcome) => scans.inc({ outcome }),
    transaction: (kind, outcome) => transactions.inc({ kind, outcome }),
    sale: (outcome) => sales.inc({ outcome }),
  };
}
