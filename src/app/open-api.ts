/** Opens the parts that answer calls: sign-in, the event feed, and the server with every route. */

import { openAccessTokens } from '../auth/access-token.ts';
import { signInChainId } from '../auth/chain-id.ts';
import { createRevocations } from '../auth/revocations.ts';
import { createSignIn, signInOrigin } from '../auth/sign-in-challenge.ts';
import type { SigningKey } from '../auth/signing-key.ts';
import { configuredLimits } from '../commands/configured-limits.ts';
import { type CommandServices, commands } from '../commands/index.ts';
import { createEventFeed, type EventFeed } from '../delivery/feed/event-feed.ts';
import { createReachPosition } from '../delivery/reach-position.ts';
import { createVenue } from '../drafts/launches/venue.ts';
import { createWalletClaims } from '../drafts/wallet-claim.ts';
import { createServer } from '../http/server.ts';
import type { EventStore } from '../ports/event-store.ts';
import { projections } from '../projections/index.ts';
import { revokedSessions } from '../projections/revoked-sessions.ts';
import { type QueryServices, queries } from '../queries/index.ts';
import { createAsyncApiText } from '../reference/asyncapi/document.ts';
import { createOpenApiText } from '../reference/openapi/document.ts';
import { createCommandRunner } from '../runtime/run-command.ts';
import { session } from '../streams/session.ts';
import { publishedLog } from '../transparency/published-log.ts';
import type { ReadinessCheck } from '../views/readiness.ts';
import { createBackups } from './backups.ts';
import { runningChain } from './chain-copy.ts';
import type { Foundation } from './foundation.ts';
import type { Engine } from './open-engine.ts';
import { listening, serverSettings, TOKEN_AUDIENCE, TOKEN_ISSUER } from './server-settings.ts';
import { VERSION } from './version.ts';

/** Milliseconds. */
const CATCH_UP_TIMEOUT = 2_000;

type Services = CommandServices & QueryServices;

export interface Api {
  readonly eventFeed: EventFeed;
  /** Starts answering; resolves with `http://host:port`. */
  listen(readiness: () => Promise<readonly ReadinessCheck[]>): Promise<string>;
}

export async function openApi(foundation: Foundation, engine: Engine, signingKey: SigningKey): Promise<Api> {
  const { configuration, log, clock, store, readModel, projector, executor, metrics } = foundation;
  const { reportOf, whenClosing } = foundation;
  const { keyring, chain, localChain, policy, nonces, settlements, launches, images, ledgers, runLedgers } =
    engine;

  const revocations = createRevocations({
    readModel,
    isComplete: () =>
      !foundation.isShared && foundation.shared === undefined && projector.isCurrent(revokedSessions),
    lookUp: (tokenId) => hasEvents(store, `${session.category}-${tokenId}`),
  });
  const accessTokens = await openAccessTokens({
    signingKey,
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    lifetimeSeconds: configuration.jwtLifetimeSeconds,
    acceptedIssuers: [...configuration.acceptedIssuers],
    isRevoked: revocations.has,
    now: () => clock.now().getTime(),
    onKeysUnavailable: (issuer, reason) => log.warn({ issuer, reason }, 'issuer keys unavailable'),
  });
  whenClosing(async () => accessTokens.close());

  const eventFeed = createEventFeed({
    ...foundation,
    heartbeat: configuration.eventsHeartbeatMs,
    bufferBytes: configuration.eventsBufferBytes,
    report: reportOf('event-feed'),
  });

  let address = '';
  const publicUrl = () => configuration.publicUrl ?? address;
  const ownOrigin = () => signInOrigin(publicUrl());
  const allowedOrigins = new Set<string>(configuration.allowedOrigins);
  const documented = { operators: configuration.operatorKeys.length > 0, version: VERSION, publicUrl };

  const servicesWith = (readiness: Services['readiness']): Services => ({
    policy,
    keyring,
    chain,
    slotTime: engine.slotTime,
    nonces,
    settlements,
    launches,
    images,
    ledgers,
    runLedgers,
    publishedLog: publishedLog({ blobs: ledgers, store, publicKey: keyring.logKey.publicKey }),
    distributionPreviews: engine.previews,
    publicUrl,
    clock,
    executor,
    readModel,
    readModelsCaughtUp: async () => {
      // Outdated lists must not block creations: a wallet may then have a draft or two more than allowed.
      await projector.waitFor(await store.head(), CATCH_UP_TIMEOUT);
    },
    walletClaims: createWalletClaims({ executor, clock, claimLapse: configuration.claimLapseMs }),
    distributionProgress: engine.distributionProgress,
    venue: createVenue(chain, { isLocal: localChain !== undefined }),
    eventFeed,
    eventStore: store,
    takeBackup: createBackups({
      store,
      blobs: ledgers,
      images,
      copyChain: localChain && runningChain(configuration, localChain),
      clock,
      report: reportOf('backups'),
    }),
    signIn: createSignIn({
      key: keyring.signInChallenge,
      statement: 'Sign in to Levy. This costs nothing and sends no transaction.',
      chainId: signInChainId(engine.genesisHash),
    }),
    signInOriginOf: (origin) =>
      origin !== undefined && allowedOrigins.has(origin) ? signInOrigin(origin) : ownOrigin(),
    signInOrigins: () => [ownOrigin(), ...[...allowedOrigins].map(signInOrigin)],
    accessTokens,
    revocations,
    openApi: createOpenApiText({
      routes: [...commands, ...queries],
      ...documented,
      limits: configuredLimits(configuration),
    }),
    asyncApi: createAsyncApiText(documented),
    events: foundation,
    projections: async () => ({ head: await store.head(), projections: projector.status() }),
    rebuildProjection: async (name, actor) => {
      const projection = projections.find((each) => each.name === name);
      const started = projection !== undefined && (await projector.rebuild(projection, actor));
      if (started) log.info({ part: 'projections', projection: name, actor }, 'projection rebuild started');
      return started;
    },
    readiness,
    metrics: metrics.text,
  });

  async function serve(services: Services): Promise<string> {
    let closing = false;
    const server = await createServer({
      services,
      clock,
      accessTokens,
      ...serverSettings(configuration),
      docs: { openApi: services.openApi, publicUrl },
      runner: foundation.observed.runner(createCommandRunner(executor, services)),
      commands,
      queries,
      log,
      observer: metrics.http,
      tracing: foundation.tracing,
      reachPosition: createReachPosition({ store, waitFor: projector.waitFor }),
      isClosing: () => closing,
    });
    whenClosing(async () => {
      closing = true;
      engine.settlements.release();
      await eventFeed.close();
      // A client that has not sent a whole request by then would keep the service from closing.
      const cutOff = setTimeout(
        () => server.server.closeAllConnections(),
        configuration.shutdownTimeoutMs / 2,
      );
      await server.close();
      clearTimeout(cutOff);
    });
    return listening(configuration, server);
  }

  return {
    eventFeed,
    async listen(readiness) {
      address = await serve(servicesWith(readiness));
      return address;
    },
  };
}

/** Reads no event: one that cannot be decoded revokes all the same. */
async function hasEvents(store: EventStore, stream: string): Promise<boolean> {
  for await (const _event of store.read(stream)) return true;
  return false;
}
