/** Counts what the distribution engine of this process does, and what came of it. */
import type { Registry } from 'prom-client';
import {
  type DistributionCounts,
  SCAN_OUTCOMES,
  TRANSACTION_KINDS,
  TRANSACTION_OUTCOMES,
} from '../../distribution/services.ts';
import { QUOTE_REFUSALS, RUN_REFUSALS } from '../../streams/unsold-reasons.ts';
import { metricDefinitions } from './definitions.ts';
import { createCounter } from './instruments.ts';

export function createDistributionCounts(registry: Registry): DistributionCounts {
  const scans = createCounter(registry, metricDefinitions.distributionScans);
  const transactions = createCounter(registry, metricDefinitions.distributionTransactions);
  const sales = createCounter(registry, metricDefinitions.distributionSales);
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
