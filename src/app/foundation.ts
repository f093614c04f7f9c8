/** Opens the parts that every process needs, regardless of its roles: log, read models, metrics and executor. */
import type { FastifyBaseLogger } from 'fastify';
import { makePrivateDirectory } from '../adapters/file/durable-file.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { EventStore, Position } from '../kernel/ports/event-store.ts';
import type { InTrace, Tracing } from '../kernel/ports/tracing.ts';
import { systemClock } from '../kernel/runtime/clock.ts';
import type { CommandRunner } from '../kernel/runtime/define-command.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import { createEventCodec } from '../kernel/runtime/event-codec.ts';
import { createEventReader } from '../kernel/runtime/event-reader.ts';
import { causeOf, createExecutor, type Executor } from '../kernel/runtime/execute.ts';
import { lease } from '../kernel/runtime/lease.ts';
import { createLogFollower } from '../kernel/runtime/log-follower.ts';
import { firstEventOf } from '../kernel/runtime/log-source.ts';
import { createProjector, type Projections } from '../kernel/runtime/projector.ts';
import { createRemoteProjector } from '../kernel/runtime/remote-projector.ts';
import { startRepetition } from '../kernel/runtime/repeat.ts';
import { snapshot } from '../kernel/runtime/snapshots.ts';
import { watchWrites } from '../kernel/runtime/store-watch.ts';
import { createStreamCache } from '../kernel/runtime/stream-cache.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createMetrics, type Metrics } from '../operations/metrics/metrics.ts';
import {
  createTracedChain,
  createTracedExecutor,
  createTracedRunner,
  createTracedStore,
} from '../operations/tracing/traced-ports.ts';
import { allProjections } from '../projections/index.ts';
import { checkpoint } from '../streams/checkpoint.ts';
import { categoryOfType, streams } from '../streams/index.ts';
import {
  READ_MODEL_REBUILDS_ID,
  ReadModelRebuildRequested,
  readModelRebuilds,
} from '../streams/read-model-rebuilds.ts';
import { adapterFor } from './adapters.ts';
import type { WhenClosing } from './closing.ts';
import { localStores, requireLogIsNotLost, requireServiceFolders } from './data-folder.ts';
import { createLogger } from './logger.ts';
import { createSingletons } from './singletons.ts';
import { openDatabaseFolder, openFolder } from './start-refusals.ts';
import { eventStoreSettings, openLedgerFiles, readModelSettings } from './stores.ts';
import { VERSION } from './version.ts';

/** Categories whose streams are never decided on through the stream cache. Their users read them directly. */
const NEVER_DECIDED_ON: ReadonlySet<string> = new Set([
  checkpoint.category,
  lease.category,
  snapshot.category,
]);
/** Maximum milliseconds that a command's response waits for the read models of its process. */
const CATCH_UP_TIMEOUT = 2_000;

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

export async function openFoundation({
  configuration,
  log,
  decorateStore = (store) => store,
  whenClosing,
}: {
  readonly configuration: Configuration;
  readonly log: FastifyBaseLogger;
  readonly decorateStore?: ((store: EventStore) => EventStore) | undefined;
  readonly whenClosing: WhenClosing;
}) {
  const clock = systemClock;
  const logger = createLogger(log);
  const loggerOf = (part: string) => logger.child({ part });
  const { otlpEndpoint, shutdownTimeoutMs } = configuration;
  const tracing =
    otlpEndpoint === undefined
      ? undefined
      : await adapterFor('tracing', otlpEndpoint).open({
          url: otlpEndpoint,
          serviceVersion: VERSION,
          closeTimeout: shutdownTimeoutMs / 4,
          logger: loggerOf('tracing'),
        });
  // Closed last, so that traces include the closing of other parts.
  if (tracing !== undefined) whenClosing(() => tracing.close());
  await requireDataFolder(configuration);
  const metrics = createMetrics({ version: VERSION });
  const observed = createObservation(metrics, tracing);

  const { url } = configuration.eventStore;
  // The log is opened first: read models without a log are remains of a lost one.
  const openedLog = await adapterFor('event-store', url).open(
    await eventStoreSettings(configuration, loggerOf('event-store')),
  );
  whenClosing(openedLog.close);
  const files = await openLedgerFiles(configuration, {
    logger: loggerOf('ledgers'),
    meter: metrics.clients,
  });
  whenClosing(() => files.ledgers.close());
  const documents = await adapterFor('read-model', configuration.readModel.url).open({
    ...(await readModelSettings(configuration, loggerOf('read-model'))),
    meter: metrics.clients,
    waiting: loggerOf('read-model'),
  });
  whenClosing(documents.close);
  const codec = createEventCodec(streams);
  const bareStore = openedLog.port;
  const reader = createEventReader({ store: bareStore, codec, logger: loggerOf('events') });
  await reader.refresh();
  /** True if other processes may write to the log. */
  const { isShared } = adapterFor('event-store', url);

  const following = createLogFollower({
    store: bareStore,
    categories: streams.map(({ category }) => category).filter((each) => !NEVER_DECIDED_ON.has(each)),
    learn: (events) => cache.learn(events),
    trouble: openedLog.trouble,
    logger: loggerOf('stream cache'),
  });
  const cache = createStreamCache({ isFollowed: following.isFollowed });
  const snapshotLogger = loggerOf('snapshots');
  await following.start();
  whenClosing(following.stop);
  const store = observed.store(decorateStore(bareStore));
  const executor = observed.executor(
    createExecutor(store, codec, clock, {
      reader,
      cache,
      snapshotFailed: (error, stream) =>
        snapshotLogger.warn(
          { stream, error: errorMessage(error) },
          'snapshot not written; loading the stream reads more events',
        ),
    }),
  );
  const common = {
    ...files,
    configuration,
    log,
    clock,
    tracing,
    metrics,
    observed,
    loggerOf,
    /** Repeats work until stopped; `work` resolves with the milliseconds until the next run. */
    loop: (name: string, work: () => Promise<number>, longestBackoff?: () => number | undefined) =>
      startRepetition({
        name,
        clock,
        logger: loggerOf(name),
        work,
        ...(longestBackoff && { longestBackoff }),
      }),
    store,
    codec,
    reader,
    categoryOfType,
    isShared,
    health: openedLog,
    readModelHealth: documents,
    following,
    executor,
    singletons: createSingletons({
      configuration,
      store: bareStore,
      codec,
      reader,
      isShared,
      loggerOf,
      whenClosing,
    }),
    whenClosing,
  };

  if (documents.shared === undefined) {
    const own = createProjector({
      projections: allProjections,
      filesOf: files.filesOf,
      reader,
      store: bareStore,
      readModel: documents.port,
      categoryOfType,
      logger: loggerOf('projections'),
    });
    whenClosing(() => own.stop());
    /** Resolves when queries include the position; undefined if other processes write the log or the read models. */
    const untilProjected = isShared
      ? undefined
      : (position: Position) => own.untilProjected(position, CATCH_UP_TIMEOUT);
    return {
      ...common,
      readModel: documents.port,
      projector: own as Projections,
      whenShown: untilProjected,
      remote: undefined,
    };
  }
  const writes = watchWrites(documents.shared);
  const followed = createRemoteProjector({
    projections: allProjections,
    readModel: writes.readModel,
    firstEvent: async () => (await firstEventOf(bareStore))?.id,
    requestRebuild: (name, actor) => requestRebuild(executor, name, actor),
    logger: loggerOf('projections'),
  });
  whenClosing(() => followed.stop());
  return {
    ...common,
    readModel: followed.readModel,
    projector: followed as Projections,
    whenShown: undefined,
    remote: {
      shared: writes.readModel,
      /** Progress of the process that writes them. */
      followed,
      /** Reason why this process cannot write them; undefined if it can or is not the writer. */
      failingWrite: () => writes.failure(),
    },
  };
}

async function requireDataFolder(configuration: Configuration): Promise<void> {
  const { dataDirectory: folder } = configuration;
  requireServiceFolders(configuration);
  await openFolder({ folder, name: 'DATA_DIR' }, () => makePrivateDirectory(folder));
  requireLogIsNotLost(configuration);
  for (const store of localStores(configuration))
    if (store.isDatabase) await openDatabaseFolder(store, makePrivateDirectory);
}

/** Adds metrics and tracing around the service's parts. Without `tracing`, tracing has no cost. */
function createObservation({ measuredStore, measuredChain }: Metrics, tracing: Tracing | undefined) {
  return {
    store: (store: EventStore) =>
      tracing ? createTracedStore(measuredStore(store), tracing) : measuredStore(store),
    chain: (chain: Chain) =>
      tracing ? createTracedChain(measuredChain(chain), tracing) : measuredChain(chain),
    executor: (executor: Executor) => (tracing ? createTracedExecutor(executor, tracing) : executor),
    runner: <Services>(run: CommandRunner<Services>) => (tracing ? createTracedRunner(run, tracing) : run),
    /** Continues the trace of a request in its later work. */
    inTrace: (tracing?.continuing ?? ((_traceparent, work) => work())) as InTrace,
  };
}

/** Requests a rebuild from the process that writes the read models. Resolves with the number of requests so far. */
export async function requestRebuild(executor: Executor, name: string, actor: string): Promise<number> {
  const cause = { ...causeOf('operator'), actor };
  const by = actor.replace(/^operator:/, '');
  const request = ReadModelRebuildRequested({ name, by });
  const done = await executor.execute(readModelRebuilds, READ_MODEL_REBUILDS_ID, cause, () => [request]);
  return done.state;
}
