/** What every process stands on, whatever its roles: the log, what is measured, the way to record. */
import type { FastifyBaseLogger } from 'fastify';
import { makePrivateDirectory } from '../adapters/file/durable-file.ts';
import type { Configuration } from '../config/configuration.ts';
import { createMetrics, type Metrics } from '../operations/metrics/metrics.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Tracing } from '../ports/tracing.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { createExecutor, type Executor } from '../runtime/execute.ts';
import { createObservation, type Observation } from './observation.ts';
import { type OpenedStores, openStores } from './open-stores.ts';
import { openTracing } from './open-tracing.ts';
import { createReportOf, type ReportOf } from './report.ts';
import { createSingletons, type Singletons } from './singletons.ts';
import { VERSION } from './version.ts';

/** Called for each thing that was opened, with what closes it; the latest is closed first. */
export type WhenClosing = (close: () => Promise<void>) => void;

export interface Foundation extends Omit<OpenedStores, 'close'> {
  readonly configuration: Configuration;
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
  readonly tracing: Tracing | undefined;
  readonly metrics: Metrics;
  readonly observed: Observation;
  readonly executor: Executor;
  readonly singletons: Singletons;
  readonly reportOf: ReportOf;
  readonly whenClosing: WhenClosing;
}

export async function openFoundation(options: {
  readonly configuration: Configuration;
  readonly log: FastifyBaseLogger;
  /** Stands between the service and its event store. */
  readonly decorateStore?: ((store: EventStore) => EventStore) | undefined;
  readonly whenClosing: WhenClosing;
}): Promise<Foundation> {
  const { configuration, log, decorateStore, whenClosing } = options;
  const clock = systemClock;
  const reportOf = createReportOf(log);
  const tracing = await openTracing(configuration, reportOf('tracing'));
  // Closed last, so that what the others do in closing is in the traces too.
  if (tracing !== undefined) whenClosing(() => tracing.close());
  await makePrivateDirectory(configuration.dataDirectory);

  const { close, ...stores } = await openStores(configuration, reportOf);
  whenClosing(close);
  const metrics = createMetrics({ version: VERSION });
  const observed = createObservation(metrics, tracing);
  const store = observed.store(decorateStore?.(stores.store) ?? stores.store);
  const executor = observed.executor(createExecutor(store, stores.codec, clock));
  const singletons = createSingletons({ ...stores, configuration, reportOf });
  return {
    ...stores,
    configuration,
    log,
    clock,
    tracing,
    metrics,
    observed,
    executor,
    singletons,
    reportOf,
    whenClosing,
  };
}
