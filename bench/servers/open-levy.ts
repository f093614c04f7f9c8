/**
 * The service without its chain: the real routes, kernel and stores, assembled as in `src/app/open-service.ts`,
 * except for the options of a comparison.
 */
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { pino } from 'pino';
import { openMongo } from '../../src/adapters/mongodb/client.ts';
import { openReadModel } from '../../src/adapters/mongodb/read-model.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { createKeyring } from '../../src/chain/keys.ts';
import { generateDistributionWallet } from '../../src/commands/generate-distribution-wallet.ts';
import type { CommandServices } from '../../src/commands/index.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { type Logger, loggerTo } from '../../src/kernel/ports/logger.ts';
import { systemClock } from '../../src/kernel/runtime/clock.ts';
import { queriesFor } from '../../src/kernel/runtime/define-query.ts';
import { createEventCodec, type EventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../src/kernel/runtime/event-reader.ts';
import { createExecutor } from '../../src/kernel/runtime/execute.ts';
import { createProjector, type Projector } from '../../src/kernel/runtime/projector.ts';
import { createCommandRunner } from '../../src/kernel/runtime/run-command.ts';
import { readConfiguration } from '../../src/operations/config/configuration.ts';
import { createMetrics } from '../../src/operations/metrics/metrics.ts';
import { projections } from '../../src/projections/index.ts';
import { revokedSessions } from '../../src/projections/revoked-sessions.ts';
import { getSettings } from '../../src/queries/get-settings.ts';
import type { QueryServices } from '../../src/queries/index.ts';
import { listFeatured } from '../../src/queries/list-featured.ts';
import { listOwnTokens } from '../../src/queries/list-own-tokens.ts';
import { listTokens } from '../../src/queries/list-tokens.ts';
import { streamEvents } from '../../src/queries/stream-events.ts';
import { type AccessTokens, openAccessTokens } from '../../src/server/auth/access-token.ts';
import { createRevocations } from '../../src/server/auth/revocations.ts';
import { parseSigningKey } from '../../src/server/auth/signing-key.ts';
import { createEventFeed, type EventFeed } from '../../src/server/delivery/feed/event-feed.ts';
import { createWaitForPosition } from '../../src/server/delivery/wait-for-position.ts';
import { policiesWith, RATE_LIMIT_POLICIES } from '../../src/server/http/rate-limit/policies.ts';
import { createServer } from '../../src/server/http/server.ts';
import { createPartnerUsage } from '../../src/server/partner-usage.ts';
import { categoryOfType, streams } from '../../src/streams/index.ts';
import type { Served } from '../measuring/child.ts';
import { createEmmettEventStore } from './emmett-event-store.ts';
import { type LevyOptions, TOKEN_ISSUER } from './levy-options.ts';
import { note, takeNamedNote, takeNote, takeOwnNote } from './notes.ts';

export interface Levy extends Served {
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly eventFeed: EventFeed;
}

/** A response that needs no work. */
const getNothing = queriesFor<object>()({
  name: 'GetNothing',
  summary: 'Nothing',
  description: 'Answers what takes no work.',
  route: { method: 'GET', url: '/nothing', auth: 'none' },
  input: {},
  output: Type.Object({ wallet: Type.String() }),
  rejections: [],
  answer: async (_input, { call }) => ({ wallet: call.actor }),
});

/** The minimal signed-in request: returns the caller only. */
const getCaller = queriesFor<object>()({
  name: 'GetCaller',
  summary: 'Who calls',
  description: 'Answers the wallet that calls.',
  route: { method: 'GET', url: '/caller', auth: 'wallet' },
  input: {},
  output: Type.Object({ wallet: Type.String() }),
  rejections: [],
  answer: async (_input, { call }) => ({ wallet: call.actor }),
});

export async function openLevy(options: LevyOptions): Promise<Levy> {
  const { folder, store: kind = 'sqlite', tokens } = options;
  // Configuration of an operator who sets nothing.
  const configuration = readConfiguration({});
  const logger = loggerTo((message, details) =>
    process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  );
  const database = openSqliteDatabase(join(folder, 'levy.db'), {
    groupCommit: kind !== 'sqlite, a commit each',
  });
  const shared =
    options.readModelUrl === undefined ? undefined : await openShared(options.readModelUrl, logger);
  const documents = openSqliteDatabase(join(folder, 'levy-read-model.db'));
  const readModel = shared?.readModel ?? createSqliteReadModel(documents);
  const codec = createEventCodec([...streams, note]);
  const reader = strictReader(codec);
  const log = createSqliteEventStore(database);
  const projector: Projector = createProjector({
    projections,
    reader,
    store: log,
    readModel,
    categoryOfType,
    logger,
  });
  await projector.start();

  const metrics = options.metrics === 'none' ? undefined : createMetrics({ version: 'bench' });
  const chosen = kind === 'emmett' ? createEmmettEventStore(join(folder, 'emmett.db')) : log;
  const store = metrics?.measuredStore(chosen) ?? chosen;
  const executor = createExecutor(store, codec, systemClock);
  const revocations = createRevocations({
    readModel,
    isComplete: () => projector.isCurrent(revokedSessions),
    lookUp: async () => false,
  });
  const eventFeed = createEventFeed({
    store: log,
    readModel,
    reader,
    categoryOfType,
    heartbeat: configuration.eventsHeartbeatMs,
    bufferBytes: configuration.eventsBufferBytes,
    logger,
  });
  // Only the services that the routes below use.
  const services = {
    clock: systemClock,
    executor,
    readModel,
    eventFeed,
    keyring: createKeyring(new Uint8Array(32).fill(7)),
  } as Partial<CommandServices & QueryServices> as CommandServices & QueryServices;
  const accessTokens =
    tokens &&
    (await openAccessTokens({
      signingKey: parseSigningKey(tokens.signingKey),
      issuer: TOKEN_ISSUER,
      audience: TOKEN_ISSUER,
      lifetimeSeconds: 3_600,
      isRevoked: revocations.has,
      now: () => systemClock.now().getTime(),
    }));
  const server = await createServer<CommandServices & QueryServices>({
    services,
    clock: systemClock,
    // Nobody can sign in without tokens.
    accessTokens: accessTokens as AccessTokens,
    operatorKeys: [],
    partnerOf: async () => undefined,
    partnerUsage: createPartnerUsage(systemClock.now()),
    console: false,
    publicUrl: () => 'http://127.0.0.1',
    runner: createCommandRunner(executor, services, {
      // Events of the other store are in no read model.
      untilProjected:
        shared === undefined && chosen === log
          ? (position) => projector.untilProjected(position, SHOWN_WITHIN)
          : undefined,
    }),
    commands: [generateDistributionWallet, takeNote, takeOwnNote, takeNamedNote],
    queries: [listTokens, listOwnTokens, listFeatured, getSettings, streamEvents, getCaller, getNothing],
    log: pino({ level: 'warn' }, pino.destination(2)),
    observer: metrics?.http ?? UNOBSERVED,
    rateLimits: options.rateLimits && neverUsedUp(),
    connections: {
      maximum: configuration.connectionsMax,
      answersBuffer: configuration.answersBuffer,
      requestTimeout: configuration.requestTimeoutMs,
      keepAliveTimeout: configuration.keepAliveTimeoutMs,
      answerTimeout: configuration.answerTimeoutMs,
    },
    // All subscribers are on this machine.
    streams: { maximum: configuration.eventsSubscribersMax, perAddress: configuration.eventsSubscribersMax },
    isAllowedOrigin: () => false,
    trustedProxies: [],
    reachPosition: createWaitForPosition({ store, waitFor: projector.waitFor }),
    isClosing: () => false,
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    store,
    codec,
    eventFeed,
    async close() {
      await eventFeed.close();
      await server.close();
      await projector.stop();
      await shared?.close();
      await log.close();
      await documents.close();
      await database.close();
    },
  };
}

/** Milliseconds, as in the service. */
const SHOWN_WITHIN = 2_000;

/** Opened as by the process that writes it. */
async function openShared(url: string, logger: Logger) {
  const { database, close } = await openMongo({ url });
  const readModel = await openReadModel({ database, logger });
  await readModel.startTerm(1);
  return { readModel, close };
}

const UNOBSERVED = {
  answered() {},
  refused() {},
  limited() {},
  unreadable() {},
  unread() {},
  watchWaiting() {},
};

function neverUsedUp() {
  const quotas = Object.entries(RATE_LIMIT_POLICIES).map(
    ([name, { windowSeconds }]) => [name, { quota: 1e9, windowSeconds }] as const,
  );
  return policiesWith(Object.fromEntries(quotas));
}
