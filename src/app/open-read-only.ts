/**
 * Answers queries from read models of the past, as the service would have then: by the clock of that time, without a log, a
 * chain or a seed. Changes nothing.
 */
import { existsSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import { readJwtKey } from '../adapters/file/secrets.ts';
import { openAccessTokens } from '../auth/access-token.ts';
import { createRevocations } from '../auth/revocations.ts';
import { createKey, parseSigningKey } from '../auth/signing-key.ts';
import { configuredLimits } from '../commands/configured-limits.ts';
import { commands } from '../commands/index.ts';
import type { Configuration } from '../config/configuration.ts';
import { createLedgers } from '../distribution/ledger/open-ledgers.ts';
import { createServer } from '../http/server.ts';
import { createMetrics } from '../operations/metrics/metrics.ts';
import { OperatorError } from '../ports/operator-error.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { schemeOf } from '../ports/technology.ts';
import { projections } from '../projections/index.ts';
import { type QueryServices, queries } from '../queries/index.ts';
import { createAsyncApiText } from '../reference/asyncapi/document.ts';
import { createOpenApiText } from '../reference/openapi/document.ts';
import { type Replayed, readReplayed } from '../replay/replay-log.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Rejection } from '../runtime/rejection.ts';
import { rejection } from '../streams/rejections.ts';
import { openBlobs } from './open-blobs.ts';
import { openImages } from './open-images.ts';
import { openReadModelsForReading } from './open-read-models.ts';
import { createReportOf } from './report.ts';
import { listening, serverSettings, TOKEN_AUDIENCE, TOKEN_ISSUER } from './server-settings.ts';
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

/** Queries that need more than documents: the log, the chain, or a seed. */
const BEYOND_DOCUMENTS = new Set([
  'CreateChallenge',
  'GetLogCheckpoint',
  'GetLogKey',
  'GetLogTile',
  'GetLogTileOfFourParts',
  'GetLogTileOfThreeParts',
  'GetLogTileOfTwoParts',
  'GetPaymentProof',
  'ListQuarantinedEvents',
  'ListUndecodableEvents',
  'PreviewRun',
  'ReadLog',
  'RebuildProjection',
  'StreamEvents',
  'TakeBackup',
]);

/** Rejects with `OperatorError` where `levy replay` has not made the read models, or has not ended. */
export async function openReadOnly(options: {
  readonly configuration: Configuration;
  readonly env: NodeJS.ProcessEnv;
  readonly log: FastifyBaseLogger;
}): Promise<ReadOnlyService> {
  const { configuration, env, log } = options;
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    const readModels = await openReadModelsForReading({}, { env });
    opened.push(readModels.close);
    const shown = await shownBy(readModels.port);
    const metrics = createMetrics({ version: VERSION });
    const clock = { now: () => new Date(shown.time) };
    const accessTokens = await openAccessTokens({
      // Without the service's key, no token for this one exists.
      signingKey: existsSync(configuration.jwtKeyFile)
        ? (
            await readJwtKey(configuration.jwtKeyFile, {
              mayCreate: false,
              make: createKey,
              parse: parseSigningKey,
            })
          ).key
        : await createKey(),
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      lifetimeSeconds: configuration.jwtLifetimeSeconds,
      acceptedIssuers: [...configuration.acceptedIssuers],
      isRevoked: (tokenId) => revocations.has(tokenId),
      now: () => Date.now(),
      onKeysUnavailable: (issuer, reason) => log.warn({ issuer, reason }, 'issuer keys unavailable'),
    });
    opened.push(async () => accessTokens.close());
    const revocations = createRevocations({
      readModel: readModels.port,
      isComplete: () => true,
      lookUp: async () => false,
    });
    const reportOf = createReportOf(log);
    const files = { report: reportOf('files'), meter: metrics.clients };
    requireFolder(configuration.imageStore.url, 'IMAGE_STORE_URL');
    requireFolder(configuration.ledgerStore.url, 'LEDGER_STORE_URL');
    const images = (await openImages(configuration, files)).store;
    opened.push(() => images.close());
    const ledgers = (await openBlobs(configuration, files)).store;
    opened.push(() => ledgers.close());

    let address = '';
    let isClosing = false;
    const publicUrl = () => configuration.publicUrl ?? address;
    const documented = { operators: configuration.operatorKeys.length > 0, version: VERSION, publicUrl };
    const refuse = () => {
      throw readOnly(shown);
    };
    const services: QueryServices = {
      clock,
      readModel: readModels.port,
      images,
      ledgers,
      runLedgers: createLedgers(ledgers),
      publicUrl,
      accessTokens,
      revocations,
      launches: { of: async () => refuse() },
      distributionProgress: () => undefined,
      distributionPreviews: undefined,
      openApi: createOpenApiText({
        routes: [...commands, ...queries],
        ...documented,
        limits: configuredLimits(configuration),
      }),
      asyncApi: createAsyncApiText(documented),
      projections: async () => ({ head: shown.position, projections: statusOf(shown) }),
      rebuildProjection: async () => refuse(),
      readiness: async () => [
        { name: 'read-only', ok: true, details: { position: shown.position, time: shown.time } },
      ],
      metrics: metrics.text,
      signIn: { issue: refuse, verify: refuse },
      signInOriginOf: refuse,
      signInOrigins: () => [],
      eventFeed: {
        startAt: async () => refuse(),
        subscribe: refuse,
        status: refuse,
        close: async () => undefined,
      },
      events: { reader: { quarantined: refuse, undecodable: refuse, refresh: async () => refuse() } },
      publishedLog: {
        checkpoint: refuse,
        verifierKey: refuse,
        tile: refuse,
        prove: refuse,
        proveFirst: refuse,
      },
      takeBackup: refuse,
      eventStore: { read: refuse, subscribe: refuse, head: async () => refuse() },
      executor: {
        execute: async () => refuse(),
        load: async () => refuse(),
        readFrom: refuse,
        findLast: async () => refuse(),
      },
    };
    const server = await createServer<QueryServices>({
      services,
      clock: systemClock,
      accessTokens,
      ...serverSettings(configuration),
      docs: { openApi: services.openApi, publicUrl },
      runner: async () => refuse(),
      commands: commands.map((command) => ({ ...command, run: async () => refuse() })),
      commandsRefused: () => readOnly(shown),
      queries: queries.map((query) =>
        BEYOND_DOCUMENTS.has(query.name) ? { ...query, run: async () => refuse() } : query,
      ),
      log,
      observer: metrics.http,
      // Which log they were made from is not open here.
      reachPosition: async (given) => {
        if (!POSITION.test(given)) return 'never';
        return given <= shown.position ? 'reached' : 'not-yet';
      },
      isClosing: () => isClosing,
    });
    opened.push(async () => {
      isClosing = true;
      server.server.closeIdleConnections();
      await server.close();
    });
    address = await listening(configuration, server);
    return { address, shown, close };
  } catch (error) {
    await close();
    throw error;
  }
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
