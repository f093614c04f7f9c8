/** Opens the parts that respond to calls: sign-in, event feed, and the server with all routes. */
import { createHash } from 'node:crypto';
import { configuredLimits } from '../commands/configured-limits.ts';
import { type CommandServices, commands } from '../commands/index.ts';
import { createVenue } from '../drafts/launches/venue.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { lazily, readyJson } from '../kernel/runtime/define-query.ts';
import { createCommandRunner } from '../kernel/runtime/run-command.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { listenersOf } from '../operations/config/conflicts.ts';
import { allProjections } from '../projections/index.ts';
import { type PartnerDocument, partners } from '../projections/partners.ts';
import { revokedSessions } from '../projections/revoked-sessions.ts';
import { tokens } from '../projections/tokens.ts';
import { publishedLog } from '../proof/transparency/published-log.ts';
import type { ConfigServices } from '../queries/get-config.ts';
import { type QueryServices, queries } from '../queries/index.ts';
import { createAsyncApiDocument } from '../reference/asyncapi/document.ts';
import { createOpenApiDocument } from '../reference/openapi/document.ts';
import { openAccessTokens } from '../server/auth/access-token.ts';
import { createAllowedOrigins } from '../server/auth/allowed-origins.ts';
import { createHolderOf } from '../server/auth/key-holders.ts';
import { createRevocations } from '../server/auth/revocations.ts';
import { createSignIn, signInOrigin } from '../server/auth/sign-in-challenge.ts';
import { signInChainId } from '../server/auth/sign-in-message.ts';
import type { SigningKey } from '../server/auth/signing-key.ts';
import { createEventFeed } from '../server/delivery/feed/event-feed.ts';
import { createWaitForPosition } from '../server/delivery/wait-for-position.ts';
import type { LinkPreview } from '../server/http/console-page.ts';
import { PARTNER_POLICIES, type Partner, policiesWith } from '../server/http/rate-limit/policies.ts';
import { createServer } from '../server/http/server.ts';
import { MAX_IMAGE_BYTES, STORED_IMAGE_SIDE } from '../server/images/process-image.ts';
import { createPartnerUsage } from '../server/partner-usage.ts';
import { DISTRIBUTION_MODELS } from '../streams/distribution-settings.ts';
import { session } from '../streams/session.ts';
import { DISTRIBUTION_INTERVALS } from '../streams/value-types.ts';
import { MAX_PROMOTION_DAYS, TEXT_LIMITS } from '../views/input-limits.ts';
import type { ReadinessAnswer } from '../views/readiness-view.ts';
import { tokenIdOf } from '../views/token-access.ts';
import { createBackups, runningSource } from './backups.ts';
import { type Engine, OPEN_DRAFTS_PER_WALLET } from './engine.ts';
import type { Foundation } from './foundation.ts';
import type { RoleStatuses } from './singletons.ts';
import { listenOrRefuse } from './start-refusals.ts';
import { VERSION } from './version.ts';

/** Maximum milliseconds that a creation waits for the read models. */
const CATCH_UP_TIMEOUT = 2_000;
/** Issuer and audience of the service's access tokens. */
const TOKEN_NAME = 'levy';
/** Lifetime in milliseconds of the cached epoch. Epochs last days on public chains, and minutes on the embedded one. */
const EPOCH_TTL = 2_000;

type Services = CommandServices & QueryServices;

export async function openApi(
  foundation: Foundation,
  engine: Engine,
  signingKey: SigningKey,
  { all: roleStatuses, isDone }: RoleStatuses,
) {
  const { configuration, log, clock, store, readModel, projector, executor, following } = foundation;
  const { loggerOf, metrics, whenClosing } = foundation;
  const { keyring, chain, localChain, genesisHash, ledgers } = engine;
  const { operatorKeys } = configuration;

  const revocations = createRevocations({
    readModel,
    isComplete: () =>
      !foundation.isShared && foundation.remote === undefined && projector.isCurrent(revokedSessions),
    lookUp: (tokenId) => hasEvents(store, `${session.category}-${tokenId}`),
  });
  const accessTokens = await openAccessTokens({
    issuer: TOKEN_NAME,
    audience: TOKEN_NAME,
    lifetimeSeconds: configuration.jwtLifetimeSeconds,
    acceptedIssuers: [...configuration.acceptedIssuers],
    onKeysUnavailable: (issuer, reason) => log.warn({ issuer, reason }, 'issuer keys unavailable'),
    signingKey,
    isRevoked: revocations.has,
    now: () => clock.now().getTime(),
  });
  whenClosing(async () => accessTokens.close());
  const eventFeed = createEventFeed({
    ...foundation,
    heartbeat: configuration.eventsHeartbeatMs,
    bufferBytes: configuration.eventsBufferBytes,
    logger: loggerOf('event-feed'),
  });

  let address = '';
  const publicUrl = () => configuration.publicUrl ?? address;
  const ownOrigin = () => signInOrigin(publicUrl());
  const isAllowedOrigin = createAllowedOrigins(configuration.allowedOrigins);
  const operators = operatorKeys.length > 0;
  // Operators' routes are documented only if they exist.
  const routes = [...commands, ...queries].filter(({ route }) => operators || route.auth !== 'operator');
  const limits = configuredLimits(configuration);
  const described = (document: object) => readyJson(JSON.stringify(document));
  const partnerUsage = createPartnerUsage(clock.now());
  const partnerOfEnvironment = createHolderOf(configuration.partnerKeys);

  const services: Omit<Services, 'readiness'> = {
    ...engine,
    accessTokens,
    revocations,
    signIn: createSignIn({
      key: keyring.signInChallenge,
      statement: 'Sign in to Levy. This costs nothing and sends no transaction.',
      chainId: signInChainId(genesisHash),
    }),
    signInOriginOf: (origin) =>
      origin !== undefined && isAllowedOrigin(origin) ? signInOrigin(origin) : ownOrigin(),
    isSignInOrigin({ domain, uri }) {
      const own = ownOrigin();
      if (domain === own.domain && uri === own.uri) return true;
      return isAllowedOrigin(uri) && domain === signInOrigin(uri).domain;
    },
    // Built on the first call, because the service's address is unknown before.
    openApi: lazily(() =>
      described(createOpenApiDocument({ routes, version: VERSION, publicUrl: publicUrl(), limits })),
    ),
    asyncApi: lazily(() =>
      described(createAsyncApiDocument({ operators, version: VERSION, publicUrl: publicUrl() })),
    ),
    partnersOfEnvironment: configuration.partnerKeys,
    partnerUsage,
    publicConfiguration: publicConfiguration(configuration, engine),
    async readModelsCaughtUp() {
      // Outdated lists must not block creations; so a wallet may have a draft or two more than allowed.
      await projector.waitFor(await store.head(), CATCH_UP_TIMEOUT);
    },
    projections: async () => ({
      head: await store.head(),
      lastConcerning: await following.end(),
      projections: projector.status(),
      extentOf: (position) => store.extentOf(position),
    }),
    async rebuildProjection(name, actor) {
      const projection = allProjections.find((each) => each.name === name);
      const started = projection !== undefined && (await projector.rebuild(projection, actor));
      if (started) log.info({ part: 'projections', projection: name, actor }, 'projection rebuild started');
      return started;
    },
    clock,
    executor,
    readModel,
    eventStore: store,
    events: foundation,
    metrics: metrics.text,
    distributionPreviews: engine.previews,
    publishedLog: publishedLog({ blobs: ledgers, store, publicKey: keyring.logKey.publicKey }),
    testChain: localChain && chain,
    epoch: throttled(EPOCH_TTL, clock, () => chain.epoch()),
    venue: createVenue(chain, { isLocal: localChain !== undefined }),
    takeBackup: createBackups({
      source: runningSource(store, { blobs: ledgers, images: engine.imageFiles }, localChain),
      dataDirectory: configuration.dataDirectory,
      clock,
      logger: loggerOf('backups'),
    }),
    roleStatuses,
    hasSettler: () => isDone('settler'),
    payers: [
      { ...engine.feePayer, name: 'fee payer' },
      { ...engine.distributor, name: 'distributor' },
    ],
    eventFeed,
    publicUrl,
  };

  let closing = false;
  /** Starts the server; resolves with `http://host:port`. */
  async function listen(readiness: () => Promise<ReadinessAnswer>): Promise<string> {
    const all: Services = { ...services, readiness };
    const server = await createServer({
      services: all,
      clock,
      accessTokens,
      operatorKeys,
      console: configuration.console,
      rateLimits: configuration.rateLimits && policiesWith(configuration.rateLimits),
      connections: {
        maximum: configuration.connectionsMax,
        requestTimeout: configuration.requestTimeoutMs,
        keepAliveTimeout: configuration.keepAliveTimeoutMs,
        answerTimeout: configuration.answerTimeoutMs,
        answersBuffer: configuration.answersBuffer,
      },
      streams: {
        maximum: configuration.eventsSubscribersMax,
        perAddress: configuration.eventsSubscribersPerAddress,
      },
      isAllowedOrigin,
      trustedProxies: configuration.trustedProxies,
      publicUrl,
      previewOf: (mint) => previewOf(readModel, mint),
      runner: foundation.observed.runner(
        createCommandRunner(executor, all, { untilProjected: foundation.whenShown }),
      ),
      commands,
      queries,
      log,
      observer: { ...metrics.http, ofPartner: partnerUsage.answered },
      partnerOf: async (key) => partnerOfEnvironment(key) ?? findPartner(readModel, key, clock.now()),
      partnerUsage,
      tracing: foundation.tracing,
      reachPosition: createWaitForPosition({ store, waitFor: projector.waitFor }),
      isClosing: () => closing,
    });
    whenClosing(async () => {
      closing = true;
      engine.settlements.release();
      await eventFeed.close();
      // A client with an incomplete request would prevent closing.
      const cutOff = setTimeout(
        () => server.server.closeAllConnections(),
        configuration.shutdownTimeoutMs / 2,
      );
      await server.close();
      clearTimeout(cutOff);
    });
    const { host, port } = configuration;
    address = await listenOrRefuse(listenersOf(configuration).service, () => server.listen({ host, port }));
    return address;
  }
  return { eventFeed, listen };
}

/** Decodes no event, so that an undecodable one revokes too. */
async function hasEvents(store: EventStore, stream: string): Promise<boolean> {
  for await (const _event of store.read(stream)) return true;
  return false;
}

async function previewOf(readModel: Pick<ReadModel, 'get'>, mint: string): Promise<LinkPreview | undefined> {
  const token = await readModel.get(tokens, tokenIdOf(mint));
  if (token === undefined || token.hidden !== null) return undefined;
  const { name, symbol, description, imageUri, transferFeePercent } = token;
  const tax = `${transferFeePercent} % tax on each transfer.`;
  return {
    title: `${name} (${symbol})`,
    description: description === '' ? tax : `${description} ${tax}`,
    image: imageUri,
  };
}

async function findPartner(
  readModel: Pick<ReadModel, 'find'>,
  key: string,
  now: Date,
): Promise<Partner | undefined> {
  const sha256 = createHash('sha256').update(key).digest('hex');
  const [found] = await readModel.find(partners, 'key', sha256, { limit: 1 });
  return found && validAt(found, sha256, now.toISOString());
}

/** Pure. Undefined if the key has expired at that time. */
export function validAt(
  { name, quotas, keys }: PartnerDocument,
  sha256: string,
  at: string,
): Partner | undefined {
  const key = keys.find((one) => one.sha256 === sha256);
  if (key === undefined || (key.endsAt !== null && at >= key.endsAt)) return undefined;
  const own = quotas.map(
    ({ policy, calls, windowSeconds }) => [policy, { quota: calls, windowSeconds }] as const,
  );
  return { name, sha256, quotas: Object.fromEntries(own) };
}

function publicConfiguration(
  configuration: Configuration,
  { genesisHash, localChain, policy: { treasury } }: Engine,
): ConfigServices['publicConfiguration'] {
  const policies = configuration.rateLimits && policiesWith(configuration.rateLimits);
  return {
    version: VERSION,
    chain: signInChainId(genesisHash),
    faucet: localChain !== undefined,
    tokens: {
      maxTransferFeePercent: configuration.maxTransferFeeBasisPoints / 100,
      maxDecimals: 9,
      ...TEXT_LIMITS,
    },
    images: { maxBytes: MAX_IMAGE_BYTES, types: ['image/png', 'image/jpeg'], side: STORED_IMAGE_SIDE },
    distribution: {
      intervals: [...DISTRIBUTION_INTERVALS],
      models: [...DISTRIBUTION_MODELS],
      rewardTokens: ['SOL', 'SELF'],
      maxPartnerShareBasisPoints: configuration.maxPartnerShareBasisPoints,
    },
    promotions: {
      available: treasury !== undefined,
      pricePerDay: configuration.featuredPricePerDay.toString(),
      places: configuration.featuredPlaces,
      maxDays: MAX_PROMOTION_DAYS,
      treasuryAddress: treasury ?? null,
    },
    launches: { startRatio: configuration.launchStartRatio },
    drafts: {
      lifetimeSeconds: Math.floor(configuration.draftLifetimeMs / 1_000),
      lifetimeKind: configuration.draftLifetimeKind,
      maxOpenPerWallet: OPEN_DRAFTS_PER_WALLET,
      submitWaitSeconds: Math.ceil(configuration.submitWaitMs / 1_000),
    },
    quotas:
      policies === undefined
        ? []
        : PARTNER_POLICIES.map((policy) => {
            const { quota, windowSeconds, countedBy } = policies[policy];
            return { policy, calls: quota, windowSeconds, countedBy };
          }),
  };
}
