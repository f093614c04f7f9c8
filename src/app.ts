/** Puts the service together: the only place that knows which adapter stands behind which port. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { makePrivateDirectory } from './adapters/durable-file.ts';
import { openFileImageStore } from './adapters/file-image-store.ts';
import { readJwtKey, readMasterSeed, SecretFileError } from './adapters/file-secrets.ts';
import { openOtlpTracing } from './adapters/otlp-tracing.ts';
import { openSqliteDatabase, StoreInUse } from './adapters/sqlite-database.ts';
import { createSqliteEventStore } from './adapters/sqlite-event-store.ts';
import { createSqliteReadModel } from './adapters/sqlite-read-model.ts';
import { createWeb3Chain } from './adapters/web3-chain.ts';
import { createDraftKeeper } from './chain/draft-keeper.ts';
import { createFeePayer } from './chain/fee-payer.ts';
import { createFulfilment } from './chain/fulfilment.ts';
import { createKeyring, type Keyring } from './chain/keys.ts';
import { type LocalChain, LocalChainUnavailable, openLocalChain } from './chain/local/local-chain.ts';
import { createNoncePool } from './chain/nonce-pool.ts';
import { createOutcomes } from './chain/outcomes.ts';
import { createSettler } from './chain/settler.ts';
import { createTransferFeeObserver } from './chain/transfer-fee-observer.ts';
import { startLaunchWatch } from './chain/venue/launch-watch.ts';
import { createVenue } from './chain/venue/venue.ts';
import { createWalletClaims } from './chain/wallet-claim.ts';
import { claimLog, StartRefused } from './claim-log.ts';
import { commands } from './commands/index.ts';
import type { Configuration } from './config.ts';
import { createEventFeed } from './feed/event-feed.ts';
import { createAsyncApiText } from './http/asyncapi/document.ts';
import { openAccessTokens } from './http/auth/access-token.ts';
import { signInChainId } from './http/auth/chain-id.ts';
import { createOperators } from './http/auth/operators.ts';
import { createSignIn, signInOrigin } from './http/auth/sign-in-challenge.ts';
import { createKey, parseSigningKey } from './http/auth/signing-key.ts';
import { createOpenApiText } from './http/openapi/document.ts';
import { policiesWith } from './http/rate-limit/policies.ts';
import { createServer } from './http/server.ts';
import { startImageKeeping } from './images/image-keeper.ts';
import { createMetrics } from './metrics/metrics.ts';
import { openMetricsListener } from './metrics/metrics-listener.ts';
import { createObservation } from './observation.ts';
import { ChainAnswerInvalid, ChainUnavailable } from './ports/chain.ts';
import { type EventStore, START } from './ports/event-store.ts';
import type { Tracing } from './ports/tracing.ts';
import { projections } from './projections/index.ts';
import { queries } from './queries/index.ts';
import { createReadiness } from './readiness.ts';
import { createRevocations } from './revocations.ts';
import { systemClock } from './runtime/clock.ts';
import { createEventCodec } from './runtime/event-codec.ts';
import { causeOf, createExecutor } from './runtime/execute.ts';
import { createProjector, type Projector } from './runtime/projector.ts';
import { startRepetition } from './runtime/repeat.ts';
import { createCommandRunner } from './runtime/run-command.ts';
import type { Policy, Services } from './services.ts';
import { categoryOfType, streams } from './streams/index.ts';
import { VERSION } from './version.ts';
import { createWorkload } from './workload.ts';

const OPEN_DRAFTS_PER_WALLET = 3;
/** A chain that is in a hurry makes 150 blocks in so many milliseconds. */
const BLOCKHASH_LIFETIME = 60_000;
/** Milliseconds between two looks at the chain while something is to be settled, and while nothing is. */
const SETTLE_PAUSE = 300;
const IDLE_PAUSE = 1_000;
const TIDY_PAUSE = 1_000;
const OBSERVE_STRETCH_PAUSE = 500;
const NONCE_FILL_PAUSE = 30_000;
const TOKEN_AUDIENCE = 'levy';
const TOKEN_ISSUER = 'levy';

export interface Service {
  /** Where it listens: `http://host:port`. */
  readonly address: string;
  /** The local chain's JSON-RPC; undefined on another chain. */
  readonly localChainUrl: string | undefined;
  /** Where `GET /metrics` needs no key; undefined where there is no such listener. */
  readonly metricsAddress: string | undefined;
  /** What has to be funded on a chain that gives nothing away. */
  readonly feePayerAddress: string;
  /** Answers what was asked, records what was begun, then lets go of everything. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly configuration: Configuration;
  readonly log: FastifyBaseLogger;
  /** Stands between the service and its event store. */
  readonly decorateStore?: (store: EventStore) => EventStore;
}

/** Whether the message of an error of `openService` is a sentence for the operator. */
export function isOperatorsToMend(error: unknown): boolean {
  const known = [
    StartRefused,
    StoreInUse,
    SecretFileError,
    LocalChainUnavailable,
    ChainUnavailable,
    ChainAnswerInvalid,
  ];
  // What the operating system or the database refuses has a code, and says in its message what it was.
  return known.some((kind) => error instanceof kind) || (error instanceof Error && 'code' in error);
}

/** Opens every part and listens. Nothing stays open when it rejects. */
export async function openService({ configuration, log, decorateStore }: ServiceOptions): Promise<Service> {
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of opened.reverse()) await close();
  };
  try {
    const service = await open();
    return { ...service, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }

  async function open(): Promise<Omit<Service, 'close'>> {
    const clock = systemClock;
    const reportOf = (part: string) => (message: string, details: object) =>
      log.warn({ part, ...details }, message);
    const tracing = openTracing(configuration, reportOf('tracing'));
    // Closed last, so that what the others do in closing is in the traces too.
    if (tracing !== undefined) opened.push(() => tracing.close());
    await makePrivateDirectory(configuration.dataDirectory);

    const { store, readModel, projector, codec, healthy, close } = openStores(
      configuration,
      reportOf('projections'),
    );
    opened.push(close);
    const metrics = createMetrics({ version: VERSION });
    const observed = createObservation(metrics, tracing);
    const executor = observed.executor(
      createExecutor(observed.store(decorateStore?.(store) ?? store), codec, clock),
    );

    const mayCreate = configuration.embedded && (await store.head()) === START;
    const { seed, created } = await readMasterSeed(configuration.masterSeedFile, { mayCreate });
    if (mayCreate && !created) {
      log.warn(
        {},
        'the event log is empty, although a master seed is there: if this service has run before, its log is missing',
      );
    }
    const { key: signingKey } = await readJwtKey(configuration.jwtKeyFile, {
      mayCreate,
      make: createKey,
      parse: parseSigningKey,
    });
    const keyring = createKeyring(seed);

    const localChain = await openChain(configuration, log);
    if (localChain !== undefined) opened.push(() => localChain.close());
    const chain = observed.chain(createWeb3Chain({ url: localChain?.url ?? rpcUrlOf(configuration) }));
    const genesisHash = await chain.genesisHash();
    await claimLog(store, executor, { seedFingerprint: keyring.fingerprint, genesisHash });
    await projector.start();

    const images = await openFileImageStore(configuration.imageStore.directory);
    opened.push(() => images.close());
    const revocations = createRevocations(readModel);
    const accessTokens = await openAccessTokens({
      signingKey,
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      lifetimeSeconds: configuration.jwtLifetimeSeconds,
      acceptedIssuers: [...configuration.acceptedIssuers],
      isRevoked: revocations.has,
      now: () => clock.now().getTime(),
      onKeysUnavailable: (issuer, reason) =>
        log.warn({ issuer, reason }, "an issuer's keys cannot be fetched"),
    });
    opened.push(async () => accessTokens.close());

    const nonces = createNoncePool({
      executor,
      readModel,
      chain,
      keyring,
      maximum: configuration.nonceAccountsMax,
      floor: configuration.feePayerFloor,
    });
    const policy = policyOf(configuration, keyring);
    const parts = { executor, readModel, chain, clock, policy };
    // The settler finds its work in a read model, which may be a moment behind.
    const kickSettler = async () => {
      await projector.waitFor(await store.head(), SETTLE_PAUSE);
      kickAll();
    };
    const kickAll = () => {
      settling.kick();
      launchWatch.kick();
    };
    const outcomes = createOutcomes(parts, () => void kickSettler().catch(kickAll));
    const settler = createSettler({
      executor,
      readModel,
      chain,
      keyring,
      clock,
      changed: outcomes.changed,
      report: reportOf('settler'),
      inTrace: observed.inTrace,
    });
    const fulfilment = createFulfilment({
      ...parts,
      changed: outcomes.changed,
      report: reportOf('settler'),
      inTrace: observed.inTrace,
    });
    const keeper = createDraftKeeper({
      executor,
      readModel,
      chain,
      nonces,
      clock,
      claimLapse: configuration.claimLapseMs,
    });
    const feePayer = createFeePayer({
      chain,
      clock,
      address: keyring.feePayer.address,
      floor: configuration.feePayerFloor,
    });
    if (localChain !== undefined) await feePayer.refill();

    const settling = startRepetition({
      name: 'settler',
      clock,
      report: reportOf('settler'),
      work: async () => {
        const [settled] = await Promise.allSettled([settler.settle()]);
        await fulfilment.fulfil();
        if (settled.status === 'rejected') throw settled.reason;
        return settled.value.waiting > 0 ? SETTLE_PAUSE : IDLE_PAUSE;
      },
    });
    const tidying = startRepetition({
      name: 'draft-keeper',
      clock,
      report: reportOf('draft-keeper'),
      work: async () => {
        await keeper.tidy();
        return TIDY_PAUSE;
      },
    });
    const launchWatch = await startLaunchWatch({
      ...parts,
      changed: outcomes.changed,
      reportOf,
      inTrace: observed.inTrace,
    });
    opened.push(() => launchWatch.stop());
    const feeObserver = createTransferFeeObserver(parts);
    const observing = startRepetition({
      name: 'transfer-fee-observer',
      clock,
      report: reportOf('transfer-fee-observer'),
      work: async () =>
        (await feeObserver.observe()).roundDone ? configuration.observePauseMs : OBSERVE_STRETCH_PAUSE,
    });
    const imageKeeping = startImageKeeping({
      images,
      store,
      readModel,
      projector,
      clock,
      unusedFor: configuration.unusedImagesKeptMs,
      report: reportOf('image-keeper'),
      removed: (count) =>
        log.info({ part: 'image-keeper', images: count }, 'removed images that nothing uses'),
    });
    opened.push(() => imageKeeping.stop());
    const filling = startRepetition({
      name: 'nonce-accounts',
      clock,
      report: reportOf('nonce-accounts'),
      work: async () => {
        if (localChain !== undefined) await feePayer.refill();
        await nonces.fill(configuration.nonceAccountsMin, causeOf('nonce-accounts'));
        return NONCE_FILL_PAUSE;
      },
    });
    opened.push(async () => {
      await Promise.all([settling.stop(), tidying.stop(), observing.stop(), filling.stop()]);
    });

    let address = '';
    const publicUrl = () => configuration.publicUrl ?? address;
    const ownOrigin = () => signInOrigin(publicUrl());
    const allowedOrigins = new Set<string>(configuration.allowedOrigins);
    const eventFeed = createEventFeed({
      store,
      readModel,
      codec,
      categoryOfType,
      heartbeat: configuration.eventsHeartbeatMs,
      bufferBytes: configuration.eventsBufferBytes,
      report: reportOf('event-feed'),
    });
    const watched = {
      store,
      eventFeed,
      projector,
      workload: createWorkload(readModel),
      clock,
      repetitions: {
        settler: settling,
        'draft-keeper': tidying,
        'nonce-accounts': filling,
        'image-keeper': imageKeeping,
        'transfer-fee-observer': observing,
        ...launchWatch.repetitions,
      },
      feePayer,
      feePayerFloor: configuration.feePayerFloor,
      chainRestarts: () => localChain?.status().restarts,
    };
    metrics.watch({ ...watched, nonceAccountsMaximum: configuration.nonceAccountsMax });
    const services: Services = {
      policy,
      publicUrl,
      clock,
      executor,
      readModel,
      chain,
      keyring,
      nonces,
      walletClaims: createWalletClaims({ executor, clock, claimLapse: configuration.claimLapseMs }),
      outcomes,
      venue: createVenue(chain, { isLocal: localChain !== undefined }),
      launches: launchWatch.figures,
      images,
      eventFeed,
      signIn: createSignIn({
        key: keyring.signInChallenge,
        statement: 'Sign in to Levy. This costs nothing and sends no transaction.',
        chainId: signInChainId(genesisHash),
      }),
      signInOriginOf: (origin) =>
        origin !== undefined && allowedOrigins.has(origin) ? signInOrigin(origin) : ownOrigin(),
      signInOrigins: () => [ownOrigin(), ...[...allowedOrigins].map(signInOrigin)],
      accessTokens,
      revocations,
      operators: createOperators(configuration.operatorKeys),
      openApi: createOpenApiText({
        routes: [...commands, ...queries],
        operators: configuration.operatorKeys.length > 0,
        version: VERSION,
        publicUrl,
      }),
      asyncApi: createAsyncApiText({
        operators: configuration.operatorKeys.length > 0,
        version: VERSION,
        publicUrl,
      }),
      projections: async () => ({ head: await store.head(), projections: projector.status() }),
      readiness: createReadiness({
        ...watched,
        healthy,
        chain,
        genesisHash,
        feePayerAddress: keyring.feePayer.address,
      }),
      metrics: metrics.text,
    };

    const { metricsHost, metricsPort } = configuration;
    const metricsListener =
      metricsPort === undefined
        ? undefined
        : await openMetricsListener({ host: metricsHost, port: metricsPort, text: metrics.text });
    if (metricsListener !== undefined) opened.push(() => metricsListener.close());

    let closing = false;
    const server = await createServer({
      services,
      runner: observed.runner(createCommandRunner(executor, services)),
      commands,
      queries,
      log,
      observer: metrics.http,
      tracing,
      rateLimits: configuration.rateLimits ? policiesWith(configuration.rateLimitQuotas) : undefined,
      connections: {
        maximum: configuration.connectionsMax,
        requestTimeout: configuration.requestTimeoutMs,
        keepAliveTimeout: configuration.keepAliveTimeoutMs,
        answerTimeout: configuration.answerTimeoutMs,
      },
      streams: {
        maximum: configuration.eventsSubscribersMax,
        perAddress: configuration.eventsSubscribersPerAddress,
      },
      allowedOrigins: [...allowedOrigins],
      trustedProxies: configuration.trustedProxies,
      waitFor: projector.waitFor,
      isClosing: () => closing,
    });
    opened.push(async () => {
      closing = true;
      outcomes.release();
      await eventFeed.close();
      // Who has not even sent a whole request by then would keep the rest of the service from closing.
      const cutOff = setTimeout(
        () => server.server.closeAllConnections(),
        configuration.shutdownTimeoutMs / 2,
      );
      await server.close();
      clearTimeout(cutOff);
    });
    address = await server.listen({ host: configuration.host, port: configuration.port });
    return {
      address,
      localChainUrl: localChain?.url,
      metricsAddress: metricsListener?.address,
      feePayerAddress: keyring.feePayer.address,
    };
  }
}

function policyOf(configuration: Configuration, keyring: Keyring): Policy {
  return {
    maxTransferFeeBasisPoints: configuration.maxTransferFeeBasisPoints,
    draftLifetime: configuration.draftLifetimeMs,
    blockhashLifetime: BLOCKHASH_LIFETIME,
    openDraftsPerWallet: OPEN_DRAFTS_PER_WALLET,
    featuredPlaces: configuration.featuredPlaces,
    featuredPricePerDay: configuration.featuredPricePerDay,
    treasury:
      configuration.treasury ?? (configuration.chain.kind === 'local' ? keyring.treasury.address : undefined),
    launchStartRatio: configuration.launchStartRatio,
    settleDeadline: configuration.settleDeadlineMs,
    submitWait: configuration.submitWaitMs,
    claimLapse: configuration.claimLapseMs,
    maxComputeUnitPrice: configuration.priorityFeeMax,
  };
}

function openStores(configuration: Configuration, report: (message: string, details: object) => void) {
  const codec = createEventCodec(streams);
  const database = openSqliteDatabase(configuration.eventStore.file);
  const shared = configuration.readModel.file === configuration.eventStore.file;
  const readDatabase = shared ? database : openSqliteDatabase(configuration.readModel.file);
  const readModel = createSqliteReadModel(readDatabase);
  const store = createSqliteEventStore(
    database,
    shared
      ? {
          inline: {
            apply: (events) => projector.inline.apply(events),
            failed: (error, events) => projector.inline.failed(error, events),
          },
        }
      : {},
  );
  const projector: Projector = createProjector({
    projections,
    codec,
    store,
    readModel,
    categoryOfType,
    report,
    ...(shared ? { synchronous: readModel } : {}),
  });
  return {
    store,
    readModel,
    projector,
    codec,
    healthy: () => database.healthy() && readDatabase.healthy(),
    async close() {
      await projector.stop();
      await store.close();
      await readModel.close();
      await database.close();
      if (!shared) await readDatabase.close();
    },
  };
}

async function openChain(
  configuration: Configuration,
  log: FastifyBaseLogger,
): Promise<LocalChain | undefined> {
  if (configuration.chain.kind !== 'local') return undefined;
  return openLocalChain({
    dataDir: join(configuration.dataDirectory, 'chain'),
    port: configuration.localChainPort,
    slotMilliseconds: configuration.localChainSlotMs,
    programs: configuration.localChainPrograms,
    accountFiles: configuration.localChainAccounts,
    log: (message) => log.warn({ part: 'local chain' }, message),
  });
}

function openTracing(
  { otlpEndpoint, otelServiceName, shutdownTimeoutMs }: Configuration,
  report: (message: string, details: object) => void,
): Tracing | undefined {
  if (otlpEndpoint === undefined) return undefined;
  return openOtlpTracing({
    endpoint: otlpEndpoint,
    serviceName: otelServiceName,
    serviceVersion: VERSION,
    closeTimeout: shutdownTimeoutMs / 4,
    report,
  });
}

function rpcUrlOf({ chain }: Configuration): string {
  if (chain.kind !== 'rpc') throw new Error('the local chain has no address before it is open');
  return chain.url;
}
