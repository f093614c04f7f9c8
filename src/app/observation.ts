/** Adds metrics and tracing around the service's parts, which know nothing of either. */

import type { Chain } from '../kernel/ports/chain.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { InTrace, Tracing } from '../kernel/ports/tracing.ts';
import type { CommandRunner } from '../kernel/runtime/define-command.ts';
import type { Executor } from '../kernel/runtime/execute.ts';
import type { Metrics } from '../operations/metrics/metrics.ts';
import {
  createTracedChain,
  createTracedExecutor,
  createTracedRunner,
  createTracedStore,
} from '../operations/tracing/traced-ports.ts';

export interface Observation {
  store(store: EventStore): EventStore;
  chain(chain: Chain): Chain;
  executor(executor: Executor): Executor;
  runner<Services>(run: CommandRunner<Services>): CommandRunner<Services>;
  /** For later work on a request: continues the request's trace. */
  readonly inTrace: InTrace;
}

/** Without `tracing` nothing is traced, at no cost. */
export function createObservation(metrics: Metrics, tracing: Tracing | undefined): Observation {
  const { measuredStore, measuredChain } = metrics;
  if (tracing === undefined) {
    return {
      store: measuredStore,
      chain: measuredChain,
      executor: (executor) => executor,
      runner: (run) => run,
      inTrace: (_traceparent, work) => work(),
    };
  }
  return {
    store: (store) => createTracedStore(measuredStore(store), tracing),
    chain: (chain) => createTracedChain(measuredChain(chain), tracing),
    executor: (executor) => createTracedExecutor(executor, tracing),
    runner: (run) => createTracedRunner(run, tracing),
    inTrace: tracing.continuing,
  };
}
