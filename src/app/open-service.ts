/** Assembles the service for its roles. Only code in `app` chooses the adapters of ports. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { LocalChainUnavailable } from 'levy-local-chain';
import { readOwnOperatorKey } from '../adapters/file/secrets.ts';
import { ChainAnswerInvalid, ChainUnavailable } from '../kernel/ports/chain.ts';
import { OperatorError, StoreUnavailable } from '../kernel/ports/errors.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { EventUndecodable } from '../kernel/runtime/event-codec.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { type Listening, listenersOf } from '../operations/config/conflicts.ts';
import type { Role } from '../operations/config/roles.ts';
import { isLoopback } from '../operations/config/value-kinds.ts';
import { watchedDistributions } from '../operations/distribution-watch.ts';
import { freeSpace } from '../operations/metrics/state/process.ts';
import { watchedChain } from '../operations/node-watch.ts';
import {
  createReadiness,
  type Watched,
  watchedContent,
  watchedEventFeed,
  watchedLoops,
  watchedPayer,
  watchedProjections,
  watchedReadModels,
  watchedUndecodable,
} from '../operations/readiness.ts';
import { watchedMasterSeed, watchedSubmissions } from '../operations/workload.ts';
import { openStatusListener, type StatusAnswer } from '../server/http/status-listener.ts';
import { openApi } from './api.ts';
import { createClosing } from './closing.ts';
import { foldersOf } from './data-folder.ts';
import { type Engine, openEngine } from './engine.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import { startProjections } from './projecting.ts';
import { startNotaryRole, startPublishingRole } from './publishing.ts';
import { createRoleStatuses, type RoleStatuses } from './singletons.ts';
import { listenOrRefuse } from './start-refusals.ts';

/** Milliseconds in which another process takes over writing shared read models. */
const WRITER_TIMEOUT = 30_000;

export type Service = Awaited<ReturnType<typeof openService>>;

export interface ServiceOptions {
  readonly configuration: Configuration;
  readonly log: FastifyBaseLogger;
  /** True to create a key for the operator of a service on this machine, if no operators are configured. */
  readonly makesOperatorKey?: true;
  readonly decorateStore?: (store: EventStore) => EventStore;
}

/** True if `openService` threw this error with a message for the operator. */
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
  // Errors of the operating system or the database have a code and an informative message.
  return known.some((kind) => error instanceof kind) || (error instanceof Error && 'code' in error);
}

/** Opens all parts that the roles need, and listens. Releases everything if it rejects. */
export async function openService(options: ServiceOptions) {
  const { whenClosing, close } = createClosing();
  try {
    const foundation = await openFoundation({ ...options, whenClosing });
    // Created after other checks, so that a failed start changes no folder.
    const own = options.makesOperatorKey && (await ownOperatorKey(foundation.configuration));
    const operatorKeys = own ? [own.named] : foundation.configuration.operatorKeys;
    const configuration = { ...foundation.configuration, operatorKeys };
    return {
      ...(await openParts({ ...foundation, configuration })),
      /** Undefined if no key was needed. */
      ownOperatorKey: own,
      /** Finishes pending requests, records running work, then releases everything. */
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Operator `local`, with a key created at the first start, so that the operator pages of a local service need no set-up.
 * Undefined if other machines can reach the service: then OPERATOR_KEYS lists the operators.
 */
async function ownOperatorKey({ embedded, host, operatorKeys, dataDirectory }: Configuration) {
  if (!embedded || !isLoopback(host) || operatorKeys.length > 0) return undefined;
  const file = join(dataDirectory, 'operator-key');
  const key = await readOwnOperatorKey(file);
  return { file, key, named: { name: 'local', sha256: createHash('sha256').update(key).digest('hex') } };
}

async function openParts(foundation: Foundation) {
  const { configuration, metrics, clock, store, remote, singletons, whenClosing } = foundation;
  const { roles } = configuration;
  // Started before anything is recorded, because read models of another log prevent startup.
  if (usesReadModels(roles)) await remote?.followed.start();
  const engine = needsKeys(roles) ? await openEngine(foundation) : undefined;
  if (engine === undefined && roles.has('projector')) await startProjections(foundation);
  const rolesSeen = createRoleStatuses({ ...foundation, roles, own: singletons.status });
  const api = engine?.signingKey && (await openApi(foundation, engine, engine.signingKey, rolesSeen));
  const notary = roles.has('notary') ? await startNotaryRole(foundation, engine?.keyring) : undefined;
  const publisher = roles.has('publisher') ? await startPublishingRole(foundation) : undefined;

  // Stops all roles concurrently; each is also registered separately, in case startup fails earlier.
  whenClosing(singletons.stop);

  const repetitions = () => ({ ...engine?.repetitions() });
  const readiness = createReadiness(clock, [
    watchedContent('event store', foundation.health, async () => ({ position: await store.head() })),
    watchedUndecodable(foundation.reader),
    ...watchedDocuments(foundation),
    ...(engine === undefined ? [] : watchedEngine(foundation, engine, rolesSeen)),
    ...(api === undefined ? [] : [watchedEventFeed(api.eventFeed)]),
    ...(publisher === undefined ? [] : [publisher.watched]),
    ...(notary === undefined ? [] : [notary.watched]),
    singletons.watched,
    watchedLoops(repetitions, clock),
  ]);
  metrics.watch({
    clock,
    following: foundation.following,
    reader: foundation.reader,
    freeSpace: () => freeSpace(foldersOf(configuration)),
    leases: singletons.status,
    ...(usesReadModels(roles) && {
      projector: foundation.projector,
      readModelWriter: remote?.followed.writer,
    }),
    ...(engine && { ...engine, nonceAccountsMax: configuration.nonceAccountsMax }),
    repetitions,
    eventFeed: api?.eventFeed,
    publisher: publisher?.measured,
    notary: notary?.status,
  });

  const where = listenersOf(configuration);
  const listen = async (at: Listening, paths: Parameters<typeof openStatusListener>[0]['paths']) => {
    const listener = await listenOrRefuse(at, () => openStatusListener({ ...at, paths }));
    whenClosing(() => listener.close());
    return listener.address;
  };
  const metricsAddress = where.metrics && (await listen(where.metrics, { '/metrics': metrics.text }));
  // A process without an API still reports its status to its supervisor.
  const address = await (api?.listen(readiness) ??
    listen(where.service, { '/health': async () => HEALTHY, '/ready': readiness }));
  return {
    /** Address of the server: `http://host:port`. */
    address,
    /** JSON-RPC address of the local chain; undefined on another chain. */
    localChainUrl: engine?.localChain?.url,
    /** Address of a `GET /metrics` without a key; undefined without such a listener. */
    metricsAddress,
    /** Address to fund on a chain without airdrops; undefined if this process has no keys. */
    feePayerAddress: engine?.keyring.feePayer.address,
  };
}

const HEALTHY: StatusAnswer = { contentType: 'application/json; charset=utf-8', body: '{"status":"ok"}' };

/** A process with keys reads the read models; the role `projector` writes shared ones. */
function watchedDocuments(foundation: Foundation): readonly Watched[] {
  const { following, projector, remote, configuration, singletons, readModelHealth } = foundation;
  if (!usesReadModels(configuration.roles)) return [];
  const database = watchedContent('read models', readModelHealth);
  if (remote === undefined) return [database, watchedProjections(following, projector)];
  const patience = Math.max(WRITER_TIMEOUT, 2 * configuration.leaseTtlMs);
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

function watchedEngine(foundation: Foundation, engine: Engine, { isDone }: RoleStatuses): readonly Watched[] {
  const { clock, metrics } = foundation;
  const { roles, distributionLagMs: lag } = foundation.configuration;
  return [
    watchedChain({ ...engine, clock, nodes: metrics.chainNodes.statuses }),
    watchedPayer('fee payer', engine.feePayer, 'drafts are refused'),
    watchedMasterSeed(engine.foreignAdvances),
    watchedSubmissions({
      workload: engine.workload,
      clock,
      settles: roles.has('settler'),
      hasSettler: () => isDone('settler'),
    }),
    watchedContent('images', { trouble: engine.imagesTrouble }),
    watchedContent('ledgers', { trouble: foundation.ledgersTrouble }),
    watchedPayer('distributor', engine.distributor, 'no run is opened; open runs continue', true),
    watchedDistributions({
      ...engine,
      clock,
      hasRole: roles.has('distributor'),
      isDistributed: () => isDone('distributor'),
      lag,
    }),
  ];
}
