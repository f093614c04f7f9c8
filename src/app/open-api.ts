/** Opens the parts that answer calls: sign-in, the event feed, and the server with every route. */

import { type CommandServices, commands } from '../commands/index.ts';
import { createVenue } from '../drafts/launches/venue.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { createCommandRunner } from '../kernel/runtime/run-command.ts';
import { keptProjections } from '../projections/index.ts';
import { revokedSessions } from '../projections/revoked-sessions.ts';
import { publishedLog } from '../proof/transparency/published-log.ts';
import { type QueryServices, queries } from '../queries/index.ts';
import { openAccessTokens } from '../server/auth/access-token.ts';
import { createAllowedOrigins } from '../server/auth/allowed-origins.ts';
import { signInChainId } from '../server/auth/chain-id.ts';
import { createRevocations } from '../server/auth/revocations.ts';
import { createSignIn, signInOrigin } from '../server/auth/sign-in-challenge.ts';
import type { SigningKey } from '../server/auth/signing-key.ts';
import { createEventFeed, type EventFeed } from '../server/delivery/feed/event-feed.ts';
import { createReachPosition } from '../server/delivery/reach-position.ts';
import { createServer } from '../server/http/server.ts';
import { session } from '../streams/session.ts';
import type { ReadinessAnswer } from '../views/readiness.ts';
import { createBackups, runningSource } from './backups.ts';
import { describedApi } from './described-api.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';
import { publicConfiguration } from './public-configuration.ts';
import type { RolesSeen } from './roles-seen.ts';
import { listening, partnerSettings, serverSettings, tokenSettings } from './server-settings.ts';

/** Milliseconds. */
const CATCH_UP_TIMEOUT = 2_000;

type Services = CommandServices & QueryServices & ReturnType<typeof partnerSettings>;

export interface Api {
  readonly eventFeed: EventFeed;
  /** Starts answering; resolves with `http://host:port`. */
  listen(readiness: () => Promise<ReadinessAnswer>): Promise<string>;
}

export async function openApi(
  foundation: Foundation,
  engine: Engine,
  signingKey: SigningKey,
  { all: rolesSeen, isDone }: RolesSeen,
): Promise<Api> {
  const { configuration, logger } = foundation;
  const sessions = await openSessions(foundation, signingKey);
  const eventFeed = createEventFeed({
    ...foundation,
    heartbeat: configuration.eventsHeartbeatMs,
    bufferBytes: configuration.eventsBufferBytes,
    logger: logger.child({ part: 'event-feed' }),
  });
  let address = '';
  const publicUrl = () => configuration.publicUrl ?? address;
  const services: Omit<Services, 'readiness'> = {
    ...sessions,
    ...signingIn(foundation, engine, publicUrl),
    ...describedApi(configuration, publicUrl),
    ...partnerSettings(configuration, foundation.readModel),
    publicConfiguration: publicConfiguration(configuration, {
      chain: signInChainId(engine.genesisHash),
      faucet: engine.localChain !== undefined,
      treasury: engine.policy.treasury,
    }),
    ...aboutReadModels(foundation),
    ...createServices(foundation, engine),
    rolesSeen,
    hasSettler: () => isDone('settler'),
    payers: payersOf(foundation, engine),
    workload: engine.workload,
    eventFeed,
    publicUrl,
  };
  return {
    eventFeed,
    async listen(readiness) {
      address = await serve(foundation, { ...services, readiness });
      return address;
    },
  };
}

async function openSessions(
  foundation: Foundation,
  signingKey: SigningKey,
): Promise<Pick<Services, 'accessTokens' | 'revocations'>> {
  const { configuration, log, clock, store, readModel, projector, whenClosing } = foundation;
  const revocations = createRevocations({
    readModel,
    isComplete: () =>
      !foundation.isShared && foundation.shared === undefined && projector.isCurrent(revokedSessions),
    lookUp: (tokenId) => hasEvents(store, `${session.category}-${tokenId}`),
  });
  const accessTokens = await openAccessTokens({
    ...tokenSettings(configuration, log),
    signingKey,
    isRevoked: revocations.has,
    now: () => clock.now().getTime(),
  });
  whenClosing(async () => accessTokens.close());
  return { accessTokens, revocations };
}

function signingIn(
  { configuration }: Foundation,
  { keyring, genesisHash }: Engine,
  publicUrl: () => string,
): Pick<Services, 'signIn' | 'signInOriginOf' | 'isSignInOrigin'> {
  const ownOrigin = () => signInOrigin(publicUrl());
  const isAllowed = createAllowedOrigins(configuration.allowedOrigins);
  return {
    signIn: createSignIn({
      key: keyring.signInChallenge,
      statement: 'Sign in to Levy. This costs nothing and sends no transaction.',
      chainId: signInChainId(genesisHash),
    }),
    signInOriginOf: (origin) =>
      origin !== undefined && isAllowed(origin) ? signInOrigin(origin) : ownOrigin(),
    isSignInOrigin({ domain, uri }) {
      const own = ownOrigin();
      if (domain === own.domain && uri === own.uri) return true;
      return isAllowed(uri) && domain === signInOrigin(uri).domain;
    },
  };
}

function aboutReadModels({
  log,
  store,
  following,
  projector,
}: Foundation): Pick<Services, 'readModelsCaughtUp' | 'projections' | 'rebuildProjection'> {
  return {
    readModelsCaughtUp: async () => {
      // Outdated lists must not block creations: a wallet may then have a draft or two more than allowed.
      await projector.waitFor(await store.head(), CATCH_UP_TIMEOUT);
    },
    projections: async () => ({
      head: await store.head(),
      lastConcerning: await following.end(),
      projections: projector.status(),
      extentOf: (position) => store.extentOf(position),
    }),
    rebuildProjection: async (name, actor) => {
      const projection = keptProjections.find((each) => each.name === name);
      const started = projection !== undefined && (await projector.rebuild(projection, actor));
      if (started) log.info({ part: 'projections', projection: name, actor }, 'projection rebuild started');
      return started;
    },
  };
}

function createServices(foundation: Foundation, engine: Engine) {
  const { configuration, clock, store, readModel, executor, logger, metrics } = foundation;
  const { keyring, chain, localChain, images, imageFiles, ledgers, policy, nonces, settlements } = engine;
  const { slotTime, launches, runLedgers, distributionProgress } = engine;
  return {
    policy,
    keyring,
    chain,
    slotTime,
    nonces,
    settlements,
    launches,
    images,
    ledgers,
    runLedgers,
    distributionProgress,
    clock,
    executor,
    readModel,
    eventStore: store,
    events: foundation,
    metrics: metrics.text,
    distributionPreviews: engine.previews,
    publishedLog: publishedLog({ blobs: ledgers, store, publicKey: keyring.logKey.publicKey }),
    testChain: localChain && chain,
    venue: createVenue(chain, { isLocal: localChain !== undefined }),
    takeBackup: createBackups({
      source: runningSource({ store, blobs: ledgers, images: imageFiles, localChain }),
      dataDirectory: configuration.dataDirectory,
      clock,
      logger: logger.child({ part: 'backups' }),
    }),
  };
}

function payersOf({ configuration }: Foundation, { keyring, feePayer, distributor }: Engine) {
  const { feePayerFloor, distributorFloor } = configuration;
  return [
    { ...feePayer, name: 'fee payer', address: keyring.feePayer.address, floor: feePayerFloor },
    { ...distributor, name: 'distributor', address: keyring.distributor.address, floor: distributorFloor },
  ] as const;
}

async function serve(foundation: Foundation, services: Services): Promise<string> {
  const { configuration, log, clock, store, projector, executor, metrics, tracing, whenClosing, whenShown } =
    foundation;
  let closing = false;
  const server = await createServer({
    services,
    clock,
    accessTokens: services.accessTokens,
    ...serverSettings(configuration),
    docs: { openApi: services.openApi, publicUrl: services.publicUrl },
    runner: foundation.observed.runner(createCommandRunner(executor, services, { whenShown })),
    commands,
    queries,
    log,
    observer: { ...metrics.http, ofPartner: services.partnerUsage.answered },
    partnerKeys: services.partnerKeys,
    partnerUsage: services.partnerUsage,
    tracing,
    reachPosition: createReachPosition({ store, waitFor: projector.waitFor }),
    isClosing: () => closing,
  });
  whenClosing(async () => {
    closing = true;
    services.settlements.release();
    await services.eventFeed.close();
    // A client that has not sent a whole request by then would keep the service from closing.
    const cutOff = setTimeout(() => server.server.closeAllConnections(), configuration.shutdownTimeoutMs / 2);
    await server.close();
    clearTimeout(cutOff);
  });
  return listening(configuration, server);
}

/** Reads no event: one that cannot be decoded revokes all the same. */
async function hasEvents(store: EventStore, stream: string): Promise<boolean> {
  for await (const _event of store.read(stream)) return true;
  return false;
}
