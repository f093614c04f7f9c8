/** Puts the service together: the only place that knows which adapter stands behind which port. */
import type { FastifyBaseLogger } from 'fastify';
import { makePrivateDirectory } from './adapters/durable-file.ts';
import { openFileImageStore } from './adapters/file-image-store.ts';
import { readJwtKey, readMasterSeed, SecretFileError } from './adapters/file-secrets.ts';
import { StoreInUse } from './adapters/sqlite-database.ts';
import { openChain } from './app/open-chain.ts';
import { openStores } from './app/open-stores.ts';
import { openTracing } from './app/open-tracing.ts';
import { policyOf } from './app/policy.ts';
import { startWorkers } from './app/workers.ts';
import { createFeePayer } from './chain/fee-payer.ts';
import { createKeyring } from './chain/keys.ts';
import { LocalChainUnavailable } from './chain/local/local-chain.ts';
import { createNoncePool } from './chain/nonce-pool.ts';
import { createOutcomes } from './chain/outcomes.ts';
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
import { createMetrics } from './metrics/metrics.ts';
import { openMetricsListener } from './metrics/metrics-listener.ts';
import { createObservation } from './observation.ts';
import { ChainAnswerInvalid, ChainUnavailable } from './ports/chain.ts';
import { type EventStore, START } from './ports/event-store.ts';
import { queries } from './queries/index.ts';
import { createReadiness } from './readiness.ts';
import { createRevocations } from './revocations.ts';
import { systemClock } from './runtime/clock.ts';
import { createExecutor } from './runtime/execute.ts';
import { createCommandRunner } from './runtime/run-command.ts';
import type { Services } from './services.ts';
import { categoryOfType } from './streams/index.ts';
import { VERSION } from './version.ts';
import { createWorkload } from './workload.ts';

const TOKEN_AUDIENCE = 'levy';
const TOKEN_ISSUER = 'levy';
/** Milliseconds. */
const CATCH_UP_TIMEOUT = 2_000;

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
    const tracing = await openTracing(configuration, reportOf('tracing'));
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

    const { chain: bareChain, localChain } = await openChain(configuration, log);
    if (localChain !== undefined) opened.push(() => localChain.close());
    const chain = observed.chain(bareChain);
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
    const feePayer = createFeePayer({
      chain,
      clock,
      address: keyring.feePayer.address,
      floor: configuration.feePayerFloor,
    });
    const outcomes = createOutcomes(parts, () => workers.expectSubmission());
    const workers = await startWorkers({
      ...parts,
      configuration,
      store,
      projector,
      keyring,
      nonces,
      feePayer,
      images,
      isChainFree: localChain !== undefined,
      changed: outcomes.changed,
      imagesRemoved: (count) =>
        log.info({ part: 'image-keeper', images: count }, 'removed images that nothing uses'),
      reportOf,
      inTrace: observed.inTrace,
    });
    opened.push(() => workers.stop());

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
      repetitions: workers.repetitions,
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
      readModelsCaughtUp: async () => {
        await projector.waitFor(await store.head(), CATCH_UP_TIMEOUT);
      },
      chain,
      keyring,
      nonces,
      walletClaims: createWalletClaims({ executor, clock, claimLapse: configuration.claimLapseMs }),
      outcomes,
      venue: createVenue(chain, { isLocal: localChain !== undefined }),
      launches: workers.launches,
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
