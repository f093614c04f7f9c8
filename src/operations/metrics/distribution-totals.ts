/** Counters whose values are kept in a read model: a restart does not set them back. */
import type { Counter, Registry } from 'prom-client';
import type { DistributionTotalsDocument } from '../../projections/distribution-totals.ts';
import { metricDefinitions } from './definitions.ts';
import { createCounter } from './instruments.ts';

export interface DistributionTotals {
  clear(): void;
  /** After `clear`. */
  write(totals: DistributionTotalsDocument): void;
}

export function createTotals(registry: Registry): DistributionTotals {
  const runs = createCounter(registry, metricDefinitions.distributionRuns);
  const skips = createCounter(registry, metricDefinitions.distributionSkips);
  const tokens = createCounter(registry, metricDefinitions.distributionTokens);
  const paid = createCounter(registry, metricDefinitions.distributionPaid);
  const proceeds = createCounter(registry, metricDefinitions.distributionProceeds);
  const payments = createCounter(registry, metricDefinitions.distributionPayments);
  const fees = createCounter(registry, metricDefinitions.distributionFees);
  const costs = createCounter(registry, metricDefinitions.distributionCosts);
  const bare: readonly Counter[] = [proceeds, payments, fees, costs];

  return {
    clear() {
      for (const counter of [runs, skips, tokens, paid]) counter.reset();
      // `reset` would set 0 where there are no labels.
      for (const counter of bare) counter.remove({});
    },
    write(totals) {
      runs.inc({ step: 'opened' }, totals.runsOpened);
      runs.inc({ step: 'closed' }, totals.runsClosed);
      for (const [reason, count] of Object.entries(totals.skips)) skips.inc({ reason }, count);
      for (const what of ['withheld', 'collected', 'burned', 'sold'] as const)
        tokens.inc({ what }, Number(totals[what]));
      for (const [asset, amount] of Object.entries(totals.paid)) paid.inc({ asset }, Number(amount));
      proceeds.inc(Number(totals.proceeds));
      payments.inc(totals.payments);
      fees.inc(Number(totals.fees));
      costs.inc(Number(totals.costs));
    },
  };
}
