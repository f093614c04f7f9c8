/** Metrics that are read on request: projections' progress, work under way, the fee payer's balance. */
import pTimeout from 'p-timeout';
import type { Gauge, Registry } from 'prom-client';
import { distributionParts } from './distribution-parts.ts';
import { draftParts } from './draft-parts.ts';
import type { MeasuredState } from './measured-state.ts';
import { processParts } from './process-parts.ts';
import { readModelParts } from './read-model-parts.ts';
import {
  createStateInstruments,
  nothing,
  type StateInstruments,
  type StateParts,
} from './state-instruments.ts';

/** A part that takes longer is omitted from this reading. Milliseconds. */
const PATIENCE = 2_000;

const parts: StateParts = { ...readModelParts, ...draftParts, ...processParts, ...distributionParts };

/** Returns a function that reads everything and writes it into the registry; it never rejects. */
export function createStateMetrics(registry: Registry): (state: MeasuredState) => Promise<void> {
  const instruments = createStateInstruments(registry);

  return async (state) => {
    const found = await Promise.all(
      Object.entries(parts).map(async ([part, look]) => {
        try {
          return await pTimeout(look(state, instruments), { milliseconds: PATIENCE });
        } catch {
          instruments.failures.inc({ part });
          return nothing;
        }
      }),
    );
    clear(instruments);
    for (const write of found) write();
  };
}

/** A failed reading leaves its metrics absent rather than stale. */
function clear({ gauges, counters, totals }: StateInstruments): void {
  for (const gauge of Object.values(gauges)) empty(gauge);
  for (const counter of Object.values(counters)) counter.remove({});
  totals.clear();
}

/** `reset` would set 0 where there are no labels. */
function empty(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}
