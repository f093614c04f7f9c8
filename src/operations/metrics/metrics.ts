/** All metrics of one service: its members measure, and `text` exports them in Prometheus format. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createHttpMetrics } from './http-metrics.ts';
import { createInstruments } from './instruments.ts';
import {
  createChainMeasuring,
  createChainNodeMetrics,
  createClientMeter,
  createDistributionCounts,
  createStoreMeasuring,
} from './measured-ports.ts';
import { distributionParts } from './state/distributions.ts';
import { draftParts } from './state/drafts.ts';
import { logParts } from './state/log.ts';
import { processParts } from './state/process.ts';
import type { MeasuredState } from './state-metrics.ts';
import { createStateMetrics } from './state-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics({ version }: { readonly version: string }) {
  const instruments = createInstruments();
  const { registry, gauge, definitions } = instruments;
  const ofTheProcess = processRegistry();
  gauge('levy_build_info', ['version', 'node_version'], 'Always 1; the labels are the versions.').set(
    { version, node_version: process.version },
    1,
  );
  const readState = createStateMetrics(instruments, [
    ...logParts,
    ...draftParts,
    ...processParts,
    ...distributionParts,
  ]);
  let state: MeasuredState | undefined;
  let underWay: ReturnType<typeof read> | undefined;

  async function read() {
    if (state !== undefined) await readState(state);
    const body = `${await registry.metrics()}\n${await ofTheProcess.metrics()}`;
    return { contentType: registry.contentType, body };
  }

  return {
    http: createHttpMetrics(instruments),
    measuredStore: createStoreMeasuring(instruments),
    measuredChain: createChainMeasuring(instruments),
    /** Meter for clients of database servers. */
    clients: createClientMeter(instruments),
    /** Meter for the nodes of the chain. */
    chainNodes: createChainNodeMetrics(instruments),
    /** Counters of the distribution engine. */
    distributions: createDistributionCounts(instruments),
    /** Sets the state that the state metrics are read from on each request; before, they are absent. */
    watch(watched: MeasuredState) {
      state = watched;
    },
    /** Prometheus text format. Concurrent calls share one text. */
    text() {
      underWay ??= read().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    definitions,
  };
}

let processMetrics: Registry | undefined;

/** Process metrics are shared by all services in the process, because their collection cannot be stopped. */
function processRegistry(): Registry {
  if (processMetrics === undefined) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  return processMetrics;
}
