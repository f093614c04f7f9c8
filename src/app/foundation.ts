/** The parts that every process needs, whatever its roles: the log, the metrics and the executor. */
import type { FastifyBaseLogger } from 'fastify';
import { makePrivateDirectory } from '../adapters/file/durable-file.ts';
import type { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { EventStore, Position } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { Tracing } from '../kernel/ports/tracing.ts';
import { type Clock, systemClock } from '../kernel/runtime/clock.ts';
import { createExecutor, type Executor } from '../kernel/runtime/execute.ts';
import { lease } from '../kernel/runtime/lease.ts';
import { createLogFollower, type LogFollower } from '../kernel/runtime/log-follower.ts';
import { firstEventOf } from '../kernel/runtime/log-source.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import type { Projections } from '../kernel/runtime/projector.ts';
import { createRemoteProjector, type RemoteProjector } from '../kernel/runtime/remote-projector.ts';
import { createStreamCache } from '../kernel/runtime/stream-cache.ts';
import { watchWrites } from '../kernel/runtime/watched-writes.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createMetrics, type Metrics } from '../operations/metrics/metrics.ts';
import { keptProjections } from '../projections/index.ts';
import { checkpoint } from '../streams/checkpoint.ts';
import { streams } from '../streams/index.ts';
import { snapshot } from '../streams/snapshot.ts';
import { adapterFor } from './adapters.ts';
import { requireServiceFolders } from './folder-marks.ts';
import { createLedgerFiles, type LedgerFiles } from './ledger-files.ts';
import { createLogger } from './logger.ts';
import { requireLogIsNotLost } from './lost-log.ts';
import { createObservation, type Observation } from './observation.ts';
import { type OpenedStores, openStores } from './open-stores.ts';
import { requestRebuild } from './rebuild-requests.ts';
import { createSingletons, type Singletons } from './singletons.ts';
import { folderOrRefused } from './start-refusals.ts';
import { VERSION } from './version.ts';

/** They are read by themselves, where they are needed. */
const NEVER_DECIDED_ON: ReadonlySet<string> = new Set([
  checkpoint.category,
  lease.category,
  snapshot.category,
]);

/** A command's response waits no longer than this for the read models of its process. Milliseconds. */
const SHOWN_WITHIN = 2_000;

/** Called for each opened part with its close function; the latest opened is closed first. */
export type WhenClosing = (close: () => Promise<void>) => void;

export interface Foundation extends Omit<OpenedStores, 'close' | 'projector'>, LedgerFiles {
  readonly projector: Projections;
  /** Resolves when queries show the position; undefined where other processes write the log or the read models. */
  readonly whenShown: ((position: Position) => Promise<void>) | undefined;
  /** Where the read models are shared: how this process knows what their writer does. */
  readonly followed: RemoteProjector | undefined;
  /** Why this process cannot write shared read models, if it writes them. */
  readonly failingWrite: () => StoreUnavailable | undefined;
  readonly configuration: Configuration;
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
  readonly tracing: Tracing | undefined;
  readonly metrics: Metrics;
  readonly observed: Observation;
  readonly executor: Executor;
  readonly following: Pick<LogFollower, 'isFollowed' | 'end' | 'listen'>;
  readonly singletons: Singletons;
  readonly logger: Logger;
  readonly whenClosing: WhenClosing;
}

export async function openFoundation(options: {
  readonly configuration: Configuration;
  readonly log: FastifyBaseLogger;
  /** Wraps the event store for the service. */
  readonly decorateStore?: ((store: EventStore) => EventStore) | undefined;
  readonly whenClosing: WhenClosing;
}): Promise<Foundation> {
  const { configuration, log, decorateStore, whenClosing } = options;
  const clock = systemClock;
  const logger = createLogger(log);
  const tracing = await openTracing(configuration, logger.child({ part: 'tracing' }));
  // Closed last, so that the traces include the other parts' closing.
  if (tracing !== undefined) whenClosing(() => tracing.close());
  await requireDataFolder(configuration);

  const metrics = createMetrics({ version: VERSION });
  const files = createLedgerFiles({ configuration, logger, meter: metrics.clients, whenClosing });
  const opened = await openStores(configuration, logger, metrics.clients, files.filesOf);
  const { close, projector: own, ...stores } = opened;
  whenClosing(close);
  const observed = createObservation(metrics, tracing);
  const store = observed.store(decorateStore?.(stores.store) ?? stores.store);
  const { executor: bare, following } = await openExecutor({ stores, store, clock, logger, whenClosing });
  const executor = observed.executor(bare);
  const singletons = createSingletons({ ...stores, configuration, logger });
  const writes = stores.shared && watchWrites(stores.shared);
  const shared = writes?.readModel;
  const followed =
    shared &&
    createRemoteProjector({
      projections: keptProjections,
      readModel: shared,
      firstEvent: async () => (await firstEventOf(stores.store))?.id,
      requestRebuild: (name, actor) => requestRebuild(executor, name, actor),
      logger: logger.child({ part: 'projections' }),
    });
  if (followed !== undefined) whenClosing(() => followed.stop());
  const projector = followed ?? own;
  if (projector === undefined) throw new Error('read models that are not shared have a projector here');
  return {
    ...stores,
    ...files,
    shared,
    failingWrite: () => writes?.failure(),
    readModel: followed?.readModel ?? stores.readModel,
    projector,
    whenShown: own && !stores.isShared ? (position) => own.whenShown(position, SHOWN_WITHIN) : undefined,
    followed,
    configuration,
    log,
    clock,
    tracing,
    metrics,
    observed,
    executor,
    following,
    singletons,
    logger,
    whenClosing,
  };
}

/** With a stream cache that receives the log's events from now on. */
async function openExecutor(parts: {
  readonly stores: Pick<OpenedStores, 'store' | 'codec' | 'reader' | 'health'>;
  /** The same store, as it is observed. */
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly whenClosing: WhenClosing;
}): Promise<{ readonly executor: Executor; readonly following: LogFollower }> {
  const { stores, store, clock, logger, whenClosing } = parts;
  const following = createLogFollower({
    store: stores.store,
    categories: streams.map(({ category }) => category).filter((each) => !NEVER_DECIDED_ON.has(each)),
    learn: (events) => cache.learn(events),
    healthy: stores.health.healthy,
    logger: logger.child({ part: 'stream cache' }),
  });
  const cache = createStreamCache({ isFollowed: following.isFollowed });
  const snapshotLogger = logger.child({ part: 'snapshots' });
  await following.start();
  whenClosing(following.stop);
  const executor = createExecutor(store, stores.codec, clock, {
    reader: stores.reader,
    cache,
    snapshotFailed: (error, stream) =>
      snapshotLogger.warn(
        { stream, error: messageOf(error) },
        'snapshot not written: the stream takes longer to load',
      ),
  });
  return { executor, following };
}

async function requireDataFolder(configuration: Configuration): Promise<void> {
  const { dataDirectory: folder } = configuration;
  requireServiceFolders(configuration);
  await folderOrRefused({ folder, name: 'DATA_DIR' }, () => makePrivateDirectory(folder));
  requireLogIsNotLost(configuration);
}

/** Opens tracing to the collector, if one is configured. */
async function openTracing(
  { otlpEndpoint, shutdownTimeoutMs }: Configuration,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  return adapterFor('tracing', otlpEndpoint).open({
    url: otlpEndpoint,
    serviceVersion: VERSION,
    closeTimeout: shutdownTimeoutMs / 4,
    logger,
  });
}
