/** All measurements of one service: the parts given out measure, and `text` exports them in Prometheus format. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { DistributionCounts } from '../../distribution/services.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { ClientMeter } from '../../kernel/ports/client-meter.ts';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import { type ChainNodeMetrics, createChainNodeMetrics } from './chain-node-metrics.ts';
import { createClientMeter } from './client-metrics.ts';
import { createDistributionCounts } from './distribution-counts.ts';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts';
import { createInstruments, type MetricDefinition } from './instruments.ts';
import { createChainMeasuring } from './measured-chain.ts';
import type { MeasuredState } from './measured-state.ts';
import { createStoreMeasuring } from './measured-store.ts';
import { distributionParts } from './state/distributions.ts';
import { draftParts } from './state/drafts.ts';
import { logParts } from './state/log.ts';
import { processParts } from './state/process.ts';
import { createStateMetrics } from './state-metrics.ts';

export interface Metrics {
  readonly http: HttpMetrics;
  readonly measuredStore: (store: EventStore) => EventStore;
  readonly measuredChain: (chain: Chain) => Chain;
  /** Where clients of database servers report what they do. */
  readonly clients: ClientMeter;
  /** Receives the state of the chain's nodes. */
  readonly chainNodes: ChainNodeMetrics;
  /** Where the distribution engine counts. */
  readonly distributions: DistributionCounts;
  /** Where the state metrics are read on each request. Until this is set they are absent. */
  watch(state: MeasuredState): void;
  /** Prometheus text format. Concurrent calls share one text. */
  text(): Promise<MetricsText>;
  /** Sorted by name. */
  definitions(): readonly MetricDefinition[];
}

export interface MetricsText {
  readonly contentType: string;
  readonly body: string;
}

export function createMetrics({ version }: { readonly version: string }): Metrics {
  const instruments = createInstruments();
  const { registry, gauge, definitions } = instruments;
  const ofTheProcess = processRegistry();
  gauge('levy_build_info', ['version', 'node_version'], 'Always 1; the labels say what is running.').set(
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
  let underWay: Promise<MetricsText> | undefined;

  async function read(): Promise<MetricsText> {
    if (state !== undefined) await readState(state);
    const body = `${await registry.metrics()}\n${await ofTheProcess.metrics()}`;
    return { contentType: registry.contentType, body };
  }

  return {
    http: createHttpMetrics(instruments),
    measuredStore: createStoreMeasuring(instruments),
    measuredChain: createChainMeasuring(instruments),
    clients: createClientMeter(instruments),
    chainNodes: createChainNodeMetrics(instruments),
    distributions: createDistributionCounts(instruments),
    watch(watched) {
      state = watched;
    },
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

/** Process metrics are shared by all services in the process, and collecting them cannot be stopped. */
function processRegistry(): Registry {
  if (processMetrics === undefined) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  return processMetrics;
}
