/** Counts calls to each node behind the chain, and shows the nodes' states. */
import type { ChainNodeMeter, ChainNodeState, ChainNodeStatus } from '../../kernel/ports/chain-node-meter.ts';
import type { Instruments } from './instruments.ts';

const STATES: readonly ChainNodeState[] = ['well', 'failing', 'behind', 'foreign'];

export interface ChainNodeMetrics {
  readonly meter: ChainNodeMeter;
  /** Empty until the chain is open. */
  statuses(): readonly ChainNodeStatus[];
}

export function createChainNodeMetrics({ counter, gauge }: Instruments): ChainNodeMetrics {
  let watched: () => readonly ChainNodeStatus[] = () => [];
  const calls = counter(
    'levy_chain_node_calls_total',
    ['node', 'method', 'outcome'],
    'Calls to each node of `CHAIN_URL`, named by its host. A read that is tried again counts each time, and calls that are joined count once. An answer that is older than what was asked for is "behind", and is not used.',
  );
  const states = gauge(
    'levy_chain_node_state',
    ['node', 'state'],
    '1 for the state that a node of `CHAIN_URL` is in: "well", "failing", "behind" the other nodes or what was asked for, or "foreign" if it is one of another chain. The others are 0.',
    () => {
      for (const { host: node, state: now } of watched())
        for (const state of STATES) states.set({ node, state }, state === now ? 1 : 0);
    },
  );

  return {
    meter: {
      called: (node, method, outcome) => calls.inc({ node, method, outcome }),
      watch(nodes) {
        watched = nodes;
      },
    },
    statuses: () => watched(),
  };
}
