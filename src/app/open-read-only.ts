/**
 * Answers queries from read models of the past, as the service would have then: by the clock of that time, without a log, a
 * chain or a seed. Changes nothing.
 */
import { existsSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import { commands } from '../commands/index.ts';
import { createLedgers } from '../distribution/ledger/open-ledgers.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { schemeOf } from '../kernel/ports/technology.ts';
import { systemClock } from '../kernel/runtime/clock.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createMetrics, type Metrics } from '../operations/metrics/metrics.ts';
import { projections } from '../projections/index.ts';
import { type Replayed, readReplayed } from '../proof/replay/replay-log.ts';
import { type QueryServices, queries } from '../queries/index.ts';
import { openAccessTokens } from '../server/auth/access-token.ts';
import { createRevocations } from '../server/auth/revocations.ts';
import { createKey } from '../server/auth/signing-key.ts';
import { createServer } from '../server/http/server.ts';
import { rejection } from '../streams/rejections.ts';
import { readinessAnswer } from '../views/readiness.ts';
import { describedApi } from './described-api.ts';
import { readSigningKey } from './engine-secrets.ts';
import type { WhenClosing } from './foundation.ts';
import { createLogger } from './logger.ts';
import { openBlobStore, openImageStore } from './open-files.ts';
import { openReadModelsForReading } from './open-read-models.ts';
import { publicConfiguration } from './public-configuration.ts';
import { listening, partnerSettings, serverSettings, tokenSettings } from './server-settings.ts';
import { VERSION } from './version.ts';

export interface ReadOnlyService {
  /** `http://host:port`. */
  readonly address: string;
  /** What it shows. */
  readonly shown: Replayed;
  close(): Promise<void>;
}

/** As the stores write them. */
const POSITION = /^\d{20}$/;

/** Rejects with `OperatorError` where `levy replay` has not made the read models, or has not ended. */
export async function openReadOnly(options: {
  readonly configuration: Configuration;
  readonly env: NodeJS.ProcessEnv;
  readonly log: FastifyBaseLogger;
}): Promise<ReadOnlyService> {
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    return { ...(await openParts({ ...options, whenClosing: (one) => void opened.push(one) })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  readonly configuration: Configuration;
  readonly env: NodeJS.ProcessEnv;
  readonly log: FastifyBaseLogger;
  readonly whenClosing: WhenClosing;
}

async function openParts(parts: Parts): Promise<Omit<ReadOnlyService, 'close'>> {
  const { configuration, env, whenClosing } = parts;
  const readModels = await openReadModelsForReading({}, { env });
  whenClosing(readModels.close);
  const readModel = readModels.port;
  const shown = await shownBy(readModel);
  const metrics = createMetrics({ version: VERSION });
  const sessions = await openSessions(parts, readModel);
  const files = await openShownFiles(parts, metrics);
  let address = '';
  const publicUrl = () => configuration.publicUrl ?? address;
  address = await serve(parts, shown, metrics, {
    ...refusedServices(shown),
    ...sessions,
    ...files,
    ...describedApi(configuration, publicUrl),
    ...partnerSettings(configuration, readModel),
    publicConfiguration: publicConfiguration(configuration, {
      chain: null,
      faucet: false,
      treasury: undefined,
    }),
    readModel,
    publicUrl,
    clock: { now: () => new Date(shown.time) },
    // All of them are at the shown position.
    projections: async () => ({
      head: shown.position,
      projections: statusOf(shown),
      extentOf: () => ({ unit: 'events', amount: 0 }),
    }),
    readiness: async () =>
      readinessAnswer([
        { name: 'read-only', ok: true, details: { position: shown.position, time: shown.time } },
      ]),
    metrics: metrics.text,
  });
  return { address, shown };
}

async function openSessions(
  { configuration, log, whenClosing }: Parts,
  readModel: ReadModel,
): Promise<Pick<QueryServices, 'accessTokens' | 'revocations'>> {
  const revocations = createRevocations({
    readModel,
    isComplete: () => true,
    lookUp: async () => false,
  });
  const accessTokens = await openAccessTokens({
    ...tokenSettings(configuration, log),
    // Without the service's key, no token for this one exists.
    signingKey: existsSync(configuration.jwtKeyFile)
      ? await readSigningKey(configuration, false)
      : await createKey(),
    isRevoked: revocations.has,
    now: () => Date.now(),
  });
  whenClosing(async () => accessTokens.close());
  return { accessTokens, revocations };
}

async function openShownFiles(
  { configuration, log, whenClosing }: Parts,
  metrics: Metrics,
): Promise<Pick<QueryServices, 'images' | 'ledgers' | 'runLedgers'>> {
  const files = { logger: createLogger(log).child({ part: 'files' }), meter: metrics.clients };
  requireFolder(configuration.imageStore.url, 'IMAGE_STORE_URL');
  requireFolder(configuration.ledgerStore.url, 'LEDGER_STORE_URL');
  const { store: images } = await openImageStore(configuration, files);
  whenClosing(() => images.close());
  const { store: ledgers } = await openBlobStore(configuration, files);
  whenClosing(() => ledgers.close());
  return { images, ledgers, runLedgers: createLedgers(ledgers) };
}

/** What a query would need that documents do not hold. */
function refusedServices(shown: Replayed) {
  const refuse = () => {
    throw readOnly(shown);
  };
  const refuseLater = async () => refuse();
  return {
    launches: { of: refuseLater },
    venue: { isThere: refuseLater },
    distributionProgress: () => undefined,
    distributionPreviews: undefined,
    testChain: undefined,
    keyring: undefined,
    rebuildProjection: refuseLater,
    signIn: { issue: refuse, verify: refuse },
    signInOriginOf: refuse,
    isSignInOrigin: () => false,
    eventFeed: {
      heartbeat: 0,
      startAt: refuseLater,
      subscribe: refuse,
      status: refuse,
      close: async () => undefined,
    },
    events: { reader: { read: refuse, quarantined: refuse, undecodable: refuse, refresh: refuseLater } },
    publishedLog: {
      checkpoint: refuse,
      verifierKey: refuse,
      tile: refuse,
      prove: refuse,
      proveFirst: refuse,
    },
    takeBackup: refuse,
    rolesSeen: refuseLater,
    payers: [],
    workload: { drafts: refuseLater, submissions: refuseLater },
    eventStore: {
      read: refuse,
      readBackwards: refuse,
      readWindow: refuseLater,
      subscribe: refuse,
      head: refuseLater,
    },
    executor: {
      execute: refuseLater,
      load: refuseLater,
      known: refuseLater,
      check: refuseLater,
      readFrom: refuse,
      findLast: refuseLater,
      assumeNew: refuse,
      learn: refuse,
    },
  };
}

async function serve(
  { configuration, log, whenClosing }: Parts,
  shown: Replayed,
  metrics: Metrics,
  services: QueryServices & ReturnType<typeof partnerSettings>,
): Promise<string> {
  const refuse = async () => {
    throw readOnly(shown);
  };
  let isClosing = false;
  const server = await createServer<QueryServices>({
    services,
    clock: systemClock,
    accessTokens: services.accessTokens,
    ...serverSettings(configuration),
    docs: { openApi: services.openApi, publicUrl: services.publicUrl },
    runner: refuse,
    commands: commands.map((command) => ({ ...command, run: refuse })),
    commandsRefused: () => readOnly(shown),
    queries: queries.map((query) => (query.beyondDocuments ? { ...query, run: refuse } : query)),
    log,
    observer: { ...metrics.http, ofPartner: services.partnerUsage.answered },
    partnerKeys: services.partnerKeys,
    partnerUsage: services.partnerUsage,
    // Which log they were made from is not open here.
    reachPosition: async (given) => {
      if (!POSITION.test(given)) return 'never';
      return given <= shown.position ? 'reached' : 'not-yet';
    },
    isClosing: () => isClosing,
  });
  whenClosing(async () => {
    isClosing = true;
    server.server.closeIdleConnections();
    await server.close();
  });
  return listening(configuration, server);
}

async function shownBy(readModel: ReadModel): Promise<Replayed> {
  const shown = await readReplayed(readModel);
  if (shown === undefined || shown === 'begun') {
    throw new OperatorError('these are no read models of the past: make some with levy replay');
  }
  if (!shown.isComplete) {
    throw new OperatorError('these read models are not complete: run the same levy replay again');
  }
  await readModel.prepare(projections);
  for (const projection of projections) {
    const served = await readModel.served(projection).catch(() => undefined);
    if (served?.version === projection.version) continue;
    throw new OperatorError(
      `these read models were made by a release with another version of "${projection.name}": make them again with levy replay`,
    );
  }
  return shown;
}

function statusOf({ position, time }: Replayed) {
  return projections.map(({ name, version }) => ({
    name,
    version,
    isFiled: false,
    state: 'live' as const,
    served: version,
    isCurrent: true,
    position,
    progress: undefined,
    lastEventAt: time,
    error: undefined,
  }));
}

function readOnly({ time }: Replayed): Rejection {
  return rejection(
    'READ_ONLY',
    `This service shows the read models as of ${time} and nothing else; ask the running service.`,
  );
}

/** Opening a store would make its folder. */
function requireFolder(url: string, name: string): void {
  if (schemeOf(url) !== 'file' || existsSync(url.slice('file:'.length))) return;
  throw new OperatorError(
    `there is no folder ${url.slice('file:'.length)}: name the service's files in ${name}, or make an empty folder`,
  );
}
