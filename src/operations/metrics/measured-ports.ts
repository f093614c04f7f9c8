/** Wrappers and meters that count and time calls of this process to its stores, its chain and its database servers. */

import {
  type DistributionCounts,
  SCAN_OUTCOMES,
  TRANSACTION_KINDS,
  TRANSACTION_OUTCOMES,
} from '../../distribution/services.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import {
  type ChainNodeMeter,
  type ChainNodeState,
  type ChainNodeStatus,
  outcomeOf,
} from '../../kernel/ports/chain-node-meter.ts';
import type { ClientConnections, ClientMeter } from '../../kernel/ports/client-meter.ts';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import { withMethods, wrapCalls } from '../../kernel/runtime/wrap-calls.ts';
import { QUOTE_REFUSALS, RUN_REFUSALS } from '../../streams/unsold-reasons.ts';
import type { Instruments } from './instruments.ts';

/** Upper bounds in seconds. */
const APPEND_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function createStoreMeasuring({ counter, histogram }: Instruments): (store: EventStore) => EventStore {
  const durations = histogram(
    'levy_append_duration_seconds',
    ['outcome'],
    'Appends to the event log: "appended" durably, "conflict" if another writer was first, "failed" if the outcome is unknown.',
    APPEND_BUCKETS,
  );
  const events = counter('levy_events_appended_total', ['type'], 'Events recorded by this process, by type.');

  return (store) =>
    withMethods(store, {
      async append(stream, expected, appended) {
        const started = performance.now();
        let outcome: 'appended' | 'conflict' | 'failed' = 'failed';
        try {
          const result = await store.append(stream, expected, appended);
          outcome = result.outcome;
          return result;
        } finally {
          durations.observe({ outcome }, (performance.now() - started) / 1000);
          if (outcome === 'appended') for (const { type } of appended) events.inc({ type });
        }
      },
    });
}

/** Upper bounds in seconds. */
const CHAIN_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createChainMeasuring({ counter, histogram }: Instruments): (chain: Chain) => Chain {
  const calls = counter(
    'levy_chain_calls_total',
    ['method', 'outcome'],
    'Calls to the chain node: "answered", "behind" if every response was older than requested, "unavailable" ' +
      'without a response in time, "invalid" if the response is malformed.',
  );
  const durations = histogram(
    'levy_chain_call_duration_seconds',
    ['method'],
    'Duration of calls to the chain node, successful or not.',
    CHAIN_BUCKETS,
  );

  return (chain) =>
    wrapCalls(chain, async (method, call) => {
      const started = performance.now();
      let problem: unknown;
      try {
        return await call();
      } catch (error) {
        problem = error;
        throw error;
      } finally {
        calls.inc({ method, outcome: outcomeOf(problem) });
        durations.observe({ method }, (performance.now() - started) / 1000);
      }
    });
}

const NODE_STATES: readonly ChainNodeState[] = ['well', 'failing', 'behind', 'foreign'];

/** Counts calls to each node of the chain, and reports the nodes' states. */
export function createChainNodeMetrics({ counter, gauge }: Instruments) {
  let watched: () => readonly ChainNodeStatus[] = () => [];
  const calls = counter(
    'levy_chain_node_calls_total',
    ['node', 'method', 'outcome'],
    'Calls to each node of `CHAIN_URL`, named by its host. Each retry of a read counts. Requests that ' +
      'are combined into one call count once. "behind": the response was older than required, and was discarded.',
  );
  const states = gauge(
    'levy_chain_node_state',
    ['node', 'state'],
    '1 for the state that a node of `CHAIN_URL` is in: "well", "failing", "behind" the other nodes or the ' +
      'requested slot, or "foreign" if it belongs to another chain. The others are 0.',
    () => {
      for (const { host: node, state: now } of watched())
        for (const state of NODE_STATES) states.set({ node, state }, state === now ? 1 : 0);
    },
  );

  return {
    meter: {
      called: (node, method, outcome) => calls.inc({ node, method, outcome }),
      watch(nodes) {
        watched = nodes;
      },
    } satisfies ChainNodeMeter,
    /** Empty until the chain is open. */
    statuses: () => watched(),
  };
}

/** Upper bounds in seconds. */
const COMMAND_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createClientMeter({ counter, gauge, histogram }: Instruments): ClientMeter {
  const watched = new Set<() => ClientConnections>();
  const connections = gauge(
    'levy_database_connections',
    ['state'],
    'Connections of this process to the database servers of read models, images and ledgers: all "open" connections, those "in-use", and commands that are "waiting" for a connection. Absent if all of these are in files.',
    () => {
      connections.reset();
      if (watched.size === 0) return;
      const counts = [...watched].map((client) => client());
      const sum = (of: keyof ClientConnections) => counts.reduce((total, count) => total + count[of], 0);
      connections.set({ state: 'open' }, sum('open'));
      connections.set({ state: 'in-use' }, sum('inUse'));
      connections.set({ state: 'waiting' }, sum('waiting'));
    },
  );
  const failures = counter(
    'levy_database_connection_failures_total',
    ['reason'],
    'Commands that were not sent to these servers for lack of a connection: "timeout" if none became free, ' +
      '"connectionError" if none could be opened, "poolClosed" if the pool was closed.',
  );
  const durations = histogram(
    'levy_database_command_duration_seconds',
    ['command', 'outcome'],
    'Duration of commands to these servers: "answered", "refused" by the server, "unanswered" if the outcome is unknown.',
    COMMAND_BUCKETS,
  );

  return {
    commanded: (command, outcome, seconds) => durations.observe({ command, outcome }, seconds),
    withoutConnection: (reason) => failures.inc({ reason }),
    watch(client) {
      watched.add(client);
      return () => void watched.delete(client);
    },
  };
}

export function createDistributionCounts({ counter }: Instruments): DistributionCounts {
  const scans = counter(
    'levy_distribution_scans_total',
    ['outcome'],
    'Scans of all accounts of a token: "complete", "inconsistent" (repeated in one response), "failed", and ' +
      '"disagrees" (does not add up to the supply). Only scans of this process count.',
  );
  const transactions = counter(
    'levy_distribution_transactions_total',
    ['kind', 'outcome'],
    'Transactions of distributions: "harvest", "withdraw", "link", "payment"; "sent" (counted at each ' +
      'attempt), "landed", "refused" by the chain, "failed" on the chain at the cost of a fee. Only transactions of this process count.',
  );
  const sales = counter(
    'levy_distribution_sales_total',
    ['outcome'],
    'Runs that had tax to sell: "sold", or the reason why nothing was sold, as in `GET /distribution/:tokenId/runs/:runId`. Only runs of this process count.',
  );
  // Starts at 0, so that the first event is an increase.
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
