/** Assembles the service for its roles. Only code under `app` knows which adapter implements which port. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { LocalChainUnavailable } from 'levy-local-chain';
import { readOwnOperatorKey } from '../adapters/file/secrets.ts';
import { ChainAnswerInvalid, ChainUnavailable } from '../kernel/ports/chain.ts';
import { OperatorError, StoreUnavailable } from '../kernel/ports/errors.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { startDecodeCheck } from '../kernel/runtime/decode-check.ts';
import { EventUndecodable } from '../kernel/runtime/event-codec.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { Role } from '../operations/config/roles.ts';
import { isLoopback } from '../operations/config/value-kinds.ts';
import { freeSpace } from '../operations/free-space.ts';
import {
  createReadiness,
  type Watched,
  watchedDatabase,
  watchedEventFeed,
  watchedFeePayer,
  watchedFiles,
  watchedLoops,
  watchedProjections,
  watchedStore,
  watchedUndecodable,
} from '../operations/readiness.ts';
import { watchedChain } from '../operations/watched-chain.ts';
import { watchedDistributions, watchedDistributor } from '../operations/watched-distributions.ts';
import { watchedReadModels } from '../operations/watched-read-models.ts';
import { watchedMasterSeed, watchedSubmissions } from '../operations/watched-submissions.ts';
import { openStatusListener } from '../server/http/status-listener.ts';
import { streams } from '../streams/index.ts';
import { snapshot } from '../streams/snapshot.ts';
import type { ReadinessAnswer } from '../views/readiness.ts';
import { openApi } from './api.ts';
import { foldersOf } from './data-folder.ts';
import { type Engine, openEngine } from './engine.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import { startNotaryRole } from './notarising.ts';
import { startProjections } from './projecting.ts';
import { startPublishingRole } from './publishing.ts';
import { createRolesSeen, type RolesSeen } from './roles-seen.ts';
import { listenersOf, listeningOrRefused } from './start-refusals.ts';

/** Milliseconds in which another process takes the writing of shared read models over. */
const WRITER_PATIENCE = 30_000;

interface OwnOperatorKey {
  /** Mode 0600. */
  readonly file: string;
  readonly key: string;
}

export interface Service {
  /** The server's address: `http://host:port`. */
  readonly address: string;
  /** The local chain's JSON-RPC; undefined on another chain. */
  readonly localChainUrl: string | undefined;
  /** Where `GET /metrics` needs no key; undefined without such a listener. */
  readonly metricsAddress: string | undefined;
  /** The address to fund on a chain without airdrops; undefined if this process holds no keys. */
  readonly feePayerAddress: string | undefined;
  readonly ownOperatorKey: OwnOperatorKey | undefined;
  /** Answers pending requests, records work under way, then releases everything. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly configuration: Configuration;
  readonly log: FastifyBaseLogger;
  /** Without operators, makes a key for the one of a service for this machine alone. */
  readonly makesOperatorKey?: true;
  /** Wraps the event store for the service. */
  readonly decorateStore?: (store: EventStore) => EventStore;
}

/** Whether the message of an error of `openService` is written for the operator. */
export function isForTheOperator(error: unknown): boolean {
  const known = [
    OperatorError,
    Rejection,
    EventUndecodable,
    LocalChainUnavailable,
    ChainUnavailable,
    ChainAnswerInvalid,
    StoreUnavailable,
  ];
  // Errors of the operating system or the database have a code and a telling message.
  return known.some((kind) => error instanceof kind) || (error instanceof Error && 'code' in error);
}

/** Opens every part that the roles need and listens. Nothing stays open when it rejects. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const opened: (() => Promise<void>)[] = [];
  /** Closes every part, even if some fail. */
  const close = async () => {
    const failures: unknown[] = [];
    for (const closeOne of opened.splice(0).reverse()) {
      await closeOne().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    const foundation = await openFoundation({ ...options, whenClosing: (one) => void opened.push(one) });
    // Only where the start was not refused: a refused one changes no folder.
    const { configuration, own } = options.makesOperatorKey
      ? await withOwnOperatorKey(foundation.configuration)
      : { configuration: foundation.configuration, own: undefined };
    return { ...(await openParts({ ...foundation, configuration })), ownOperatorKey: own, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Adds the operator `local`, with a key made at the first start, so that the operator pages of a service for one machine open
 * without any set-up. `own` is undefined where other callers can reach it: there OPERATOR_KEYS names the operators.
 */
async function withOwnOperatorKey(configuration: Configuration): Promise<{
  readonly configuration: Configuration;
  readonly own: OwnOperatorKey | undefined;
}> {
  const { embedded, host, operatorKeys, dataDirectory } = configuration;
  if (!embedded || !isLoopback(host) || operatorKeys.length > 0) return { configuration, own: undefined };
  const file = join(dataDirectory, 'operator-key');
  const key = await readOwnOperatorKey(file);
  const sha256 = createHash('sha256').update(key).digest('hex');
  return {
    configuration: { ...configuration, operatorKeys: [{ name: 'local', sha256 }] },
    own: { file, key },
  };
}

async function openParts(foundation: Foundation): Promise<Omit<Service, 'close' | 'ownOperatorKey'>> {
  const { configuration, metrics, clock, store } = foundation;
  const { roles, feePayerFloor, nonceAccountsMax } = configuration;
  const { remote } = foundation;
  // Before anything is recorded: a read model of another log refuses the start.
  if (usesReadModels(roles)) await remote?.followed.start();
  const engine = needsKeys(roles) ? await openEngine(foundation) : undefined;
  if (engine === undefined && roles.has('projector')) await startProjections(foundation);
  if (roles.has('projector')) foundation.whenClosing(checkDecoding(foundation).stop);
  const rolesSeen = createRolesSeen({ ...foundation, roles, own: foundation.singletons.status });
  const api = engine?.signingKey && (await openApi(foundation, engine, engine.signingKey, rolesSeen));
  const notary = roles.has('notary')
    ? await startNotaryRole(foundation, engine && { keyring: engine.keyring, blobs: engine.ledgers })
    : undefined;
  const publisher = roles.has('publisher') ? await startPublishingRole(foundation) : undefined;

  // Registered separately as well, for a start that fails before this point.
  foundation.whenClosing(foundation.singletons.stop);

  const repetitions = () => ({ ...engine?.repetitions() });
  const readiness = createReadiness(clock, [
    watchedStore(store, foundation.health),
    watchedUndecodable(foundation.reader),
    ...watchedDocuments(foundation),
    ...(engine === undefined ? [] : watchedEngine(foundation, engine, rolesSeen)),
    ...(api === undefined ? [] : [watchedEventFeed(api.eventFeed)]),
    ...(publisher === undefined ? [] : [publisher.watched]),
    ...(notary === undefined ? [] : [notary.watched]),
    foundation.singletons.watched,
    watchedLoops(repetitions, clock),
  ]);
  metrics.watch({
    clock,
    following: foundation.following,
    events: foundation.reader,
    freeSpace: () => freeSpace(foldersOf(configuration)),
    repetitions,
    leases: foundation.singletons.status,
    ...(usesReadModels(roles) && { projector: foundation.projector }),
    ...(remote && usesReadModels(roles) && { readModelWriter: remote.followed.writer }),
    ...(engine && {
      workload: engine.workload,
      nonceAccountsMaximum: nonceAccountsMax,
      node: engine.node,
      feePayer: engine.feePayer,
      feePayerFloor,
      distributions: {
        watch: engine.distributions,
        openRuns: engine.openRuns,
        progress: engine.distributionProgress,
        balance: engine.distributor.balance,
        floor: configuration.distributorFloor,
      },
      chainRestarts: () => engine.localChain?.status().restarts,
    }),
    ...(api && { eventFeed: api.eventFeed }),
    ...(publisher && { publisher: publisher.measured }),
    ...(notary && { notary: notary.status }),
  });

  const metricsAddress = await listenForMetrics(foundation);
  const address = await (api?.listen(readiness) ?? listenForStatus(foundation, readiness));
  return {
    address,
    localChainUrl: engine?.localChain?.url,
    metricsAddress,
    feePayerAddress: engine?.keyring.feePayer.address,
  };
}

/** In the processes that follow the whole log anyway. A snapshot that cannot be read is not needed. */
function checkDecoding({ store, reader, logger }: Foundation) {
  const categories = streams.map(({ category }) => category).filter((each) => each !== snapshot.category);
  return startDecodeCheck({ store, reader, categories, logger: logger.child({ part: 'recorded events' }) });
}

/** A process reads the read models if it has the keys, and writes those that are shared if it has the role. */
function watchedDocuments(foundation: Foundation): readonly Watched[] {
  const { following, projector, remote, configuration, singletons, readModelHealth } = foundation;
  if (!usesReadModels(configuration.roles)) return [];
  const database = watchedDatabase('read models', readModelHealth);
  if (remote === undefined) return [database, watchedProjections(following, projector)];
  const patience = Math.max(WRITER_PATIENCE, 2 * configuration.leaseTtlMs);
  const isWriter = () =>
    singletons.status().some(({ name, state }) => name === 'projector' && state === 'held');
  return [
    database,
    watchedProjections(following, projector, { grace: patience }),
    watchedReadModels(remote.followed, { patience, isWriter, failingWrite: remote.failingWrite }),
  ];
}

function needsKeys(roles: ReadonlySet<Role>): boolean {
  return roles.has('api') || roles.has('settler') || roles.has('distributor');
}

function usesReadModels(roles: ReadonlySet<Role>): boolean {
  return needsKeys(roles) || roles.has('projector');
}

function watchedEngine(foundation: Foundation, engine: Engine, { isDone }: RolesSeen): readonly Watched[] {
  const { configuration, clock } = foundation;
  const { localChain, feePayer, keyring, workload } = engine;
  return [
    watchedChain({
      ...engine,
      clock,
      restarts: () => localChain?.status().restarts,
      nodes: foundation.metrics.chainNodes.statuses,
    }),
    watchedFeePayer(feePayer, keyring.feePayer.address, configuration.feePayerFloor),
    watchedMasterSeed(engine.foreignAdvances),
    watchedSubmissions({
      workload,
      clock,
      settles: configuration.roles.has('settler'),
      hasSettler: () => isDone('settler'),
    }),
    watchedFiles('images', engine.imagesTrouble),
    watchedFiles('ledgers', engine.ledgersTrouble),
    watchedDistributor({
      balance: engine.distributor.balance,
      address: keyring.distributor.address,
      floor: configuration.distributorFloor,
    }),
    watchedDistributions({
      distributions: engine.distributions,
      openRuns: engine.openRuns,
      clock,
      progress: engine.distributionProgress,
      hasRole: configuration.roles.has('distributor'),
      isDistributed: () => isDone('distributor'),
      lag: configuration.distributionLagMs,
    }),
  ];
}

async function listenForMetrics({ configuration, metrics, whenClosing }: Foundation) {
  const where = listenersOf(configuration).metrics;
  if (where === undefined) return undefined;
  const listener = await listeningOrRefused(where, () =>
    openStatusListener({ ...where, paths: { '/metrics': metrics.text } }),
  );
  whenClosing(() => listener.close());
  return listener.address;
}

/** A process that answers no calls still shows its supervisor its status. */
async function listenForStatus(
  { configuration, whenClosing }: Foundation,
  readiness: () => Promise<ReadinessAnswer>,
): Promise<string> {
  const paths = {
    '/health': async () => ({ contentType: 'application/json; charset=utf-8', body: '{"status":"ok"}' }),
    '/ready': readiness,
  };
  const where = listenersOf(configuration).service;
  const listener = await listeningOrRefused(where, () => openStatusListener({ ...where, paths }));
  whenClosing(() => listener.close());
  return listener.address;
}
