/** What the nodes behind the chain do, as metrics. */
import type { Registry } from 'prom-client';
import type { ChainNodeMeter, ChainNodeState, ChainNodeStatus } from '../../kernel/ports/chain-node-meter.ts';
import { metricDefinitions } from './definitions.ts';
import { createCounter, createGauge } from './instruments.ts';

const STATES: readonly ChainNodeState[] = ['well', 'failing', 'behind', 'foreign'];

export interface ChainNodeMetrics {
  readonly meter: ChainNodeMeter;
  /** Empty until the chain is open. */
  statuses(): readonly ChainNodeStatus[];
  /** Shows the states; to be called before the registry is read. */
  flush(): void;
}

export function createChainNodeMetrics(registry: Registry): ChainNodeMetrics {
  const calls = createCounter(registry, metricDefinitions.chainNodeCalls);
  const states = createGauge(registry, metricDefinitions.chainNodeState);
  let watched: () => readonly ChainNodeStatus[] = () => [];

  return {
    meter: {
      called: (node, method, outcome) => calls.inc({ node, method, outcome }),
      watch(nodes) {
        watched = nodes;
      },
    },
    statuses: () => watched(),
    flush() {
      for (const { host: node, state: now } of watched())
        for (const state of STATES) states.set({ node, state }, state === now ? 1 : 0);
    },
  };
}
