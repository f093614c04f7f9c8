/** Opens the configured stores, for the service and for commands that read or copy them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCredentials } from '../adapters/file/secrets.ts';
import { createLedgers } from '../distribution/ledger/open-ledgers.ts';
import { readWalletShares } from '../distribution/ledger/read-wallet-shares.ts';
import type { ClientMeter } from '../kernel/ports/client-meter.ts';
import { OperatorError, StoreInUse } from '../kernel/ports/errors.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { type Logger, silentLogger } from '../kernel/ports/logger.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import {
  type EventStoreSettings,
  type OpenedReadModel,
  pathIn,
  type ReadModelSettings,
  schemeOf,
} from '../kernel/ports/technology.ts';
import type { ReadFiles } from '../kernel/runtime/define-projection.ts';
import { createEventCodec, type Recorded } from '../kernel/runtime/event-codec.ts';
import { createEventReader, type EventReader } from '../kernel/runtime/event-reader.ts';
import { readLog } from '../kernel/runtime/read-log.ts';
import { watchStore } from '../kernel/runtime/store-watch.ts';
import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
} from '../operations/config/configuration.ts';
import type { DistributionEvent } from '../streams/distribution.ts';
import { streams } from '../streams/index.ts';
import { requireFormat, SERVICE_STREAM } from '../streams/service.ts';
import { adapterFor } from './adapters.ts';
import type { WhenClosing } from './closing.ts';
import { openFolder } from './start-refusals.ts';

/** Variables of stores; a command that opens stores ignores all other variables. */
const STORE_VARIABLES = [
  'DATA_DIR',
  'EVENT_STORE_URL',
  'EVENT_STORE_PREFIX',
  'EVENT_STORE_CREDENTIALS_FILE',
  'READ_MODEL_URL',
  'IMAGE_STORE_URL',
  'LEDGER_STORE_URL',
  'MONGODB_CREDENTIALS_FILE',
  'CA_FILE',
] as const;

/**
 * `store`: address from a command's option, which overrides the environment. Throws `OperatorError` that mentions the option
 * or the variable.
 */
function storeConfiguration(env: NodeJS.ProcessEnv, store: string | undefined): Configuration {
  const known = Object.fromEntries(STORE_VARIABLES.map((name) => [name, env[name]]));
  try {
    return readConfiguration({ ...known, ...(store !== undefined && { EVENT_STORE_URL: store }) });
  } catch (error) {
    if (!(error instanceof ConfigurationError) || store === undefined) throw error;
    throw new OperatorError(error.message.replaceAll('EVENT_STORE_URL', '--store'), { cause: error });
  }
}

/** Rejects with `OperatorError` if files with credentials or certificates are unusable. */
export async function eventStoreSettings(
  { eventStore, eventStorePrefix: prefix, eventStoreCredentialsFile, caFile }: Configuration,
  logger: Logger,
): Promise<EventStoreSettings> {
  const credentials = eventStore.isEmbedded ? undefined : eventStoreCredentialsFile;
  return {
    url: eventStore.url,
    prefix,
    logger,
    ...(await serverAccess('EventStoreDB', credentials, caFile)),
  };
}

export async function readModelSettings(
  { readModel: { url }, ...configuration }: MongoDbAccess & Pick<Configuration, 'readModel'>,
  logger: Logger,
): Promise<ReadModelSettings> {
  return { url, logger, ...(schemeOf(url) === 'sqlite' ? {} : await mongoDbAccess(configuration)) };
}

type MongoDbAccess = Pick<Configuration, 'mongoDbCredentialsFile' | 'caFile'>;

export function mongoDbAccess({ mongoDbCredentialsFile, caFile }: MongoDbAccess) {
  return serverAccess('MongoDB', mongoDbCredentialsFile, caFile);
}

/** `title`: name of the server in messages. */
async function serverAccess(title: string, credentials: string | undefined, caFile: string | undefined) {
  const user =
    credentials === undefined ? undefined : await readCredentials(credentials, `${title} credentials`);
  return { user, caFile };
}

/** Present for a service, which waits for an unresponsive server; commands fail instead. */
interface ServiceParts {
  readonly meter: ClientMeter;
  readonly logger: Logger;
}

export const FILE_STORES = {
  images: { key: 'imageStore', variable: 'IMAGE_STORE_URL', content: 'image' },
  /** Ledgers and the transparency log. */
  ledgers: { key: 'ledgerStore', variable: 'LEDGER_STORE_URL', content: 'ledger file' },
} as const;

export async function openFileStore(
  what: keyof typeof FILE_STORES,
  configuration: Configuration,
  service?: ServiceParts,
) {
  const { key, variable, content } = FILE_STORES[what];
  const { url } = configuration[key];
  const adapter = adapterFor('blob-store', url);
  const opened =
    schemeOf(url) === 'file'
      ? await openFolder({ folder: pathIn(url), name: variable }, () => adapter.open({ url, content }))
      : await adapter.open({
          url,
          content,
          meter: service?.meter,
          waiting: service?.logger,
          ...(await mongoDbAccess(configuration)),
        });
  return watchStore(opened, { what, writes: ['put', 'putFile'], logger: service?.logger ?? silentLogger });
}

/** Store of ledgers, for every role of a process. */
export async function openLedgerFiles(configuration: Configuration, service: ServiceParts) {
  const { store: ledgers, trouble: ledgersTrouble } = await openFileStore('ledgers', configuration, service);
  const runLedgers = createLedgers(ledgers);
  /** Reads the ledgers of the read models built from them; no other event refers to files of read models. */
  const filesOf: ReadFiles = (event) =>
    readWalletShares(runLedgers, (event as Recorded<Extract<DistributionEvent, { type: 'RunClosed' }>>).data);
  return { ledgers, ledgersTrouble, runLedgers, filesOf };
}

/**
 * Opens a log for reading, without changes: at `store`, an address like EVENT_STORE_URL, or the one from the environment.
 * Rejects with `OperatorError`, also for a log in another format and for a SQLite log that a service uses.
 */
export async function openLog(
  env: NodeJS.ProcessEnv,
  store?: string,
  logger: Logger = silentLogger,
): Promise<LogReader> {
  const configuration = storeConfiguration(env, store);
  const settings = await eventStoreSettings(configuration, logger);
  const adapter = adapterFor('event-store', settings.url);
  if (adapter.openForReading !== undefined)
    return requireOwnFormat(
      await adapter
        .openForReading(settings)
        .catch(
          inUse(
            settings.url,
            'Use the service instead (--service <url> --operator-key-file <file>), or stop it first',
          ),
        ),
    );
  const { port, close } = await adapter.open(settings);
  return requireOwnFormat({
    events: (options) => readLog(port, options),
    stream: (name, from) => port.read(name, from),
    head: () => port.head(),
    extentOf: port.extentOf,
    close,
  });
}

/** Closes a log in another format, and rejects with `OperatorError`. */
export async function requireOwnFormat(log: LogReader): Promise<LogReader> {
  try {
    await requireFormat(log.stream(SERVICE_STREAM));
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Decodes the events of a read-only log, skipping events that operators have quarantined. */
export async function eventReaderOf(log: LogReader): Promise<EventReader> {
  const reader = createEventReader({
    codec: createEventCodec(streams),
    store: { read: (stream, from) => log.stream(stream, from) },
    logger: silentLogger,
  });
  await reader.refresh();
  return reader;
}

/** Returns an error handler for files that a service has open. */
export function inUse(file: string, remedy: string) {
  return (error: unknown): never => {
    if (!(error instanceof StoreInUse)) throw error;
    throw new OperatorError(
      `${file} is in use by a service, and only one process can open a SQLite file. ${remedy}`,
      { cause: error },
    );
  };
}

/** Changes nothing. Rejects with `OperatorError`; a service must not be using read models in SQLite. */
export async function openReadModelsForReading(
  store: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<OpenedReadModel> {
  const settings = await readModelSettings(storeConfiguration(env, store), silentLogger);
  const adapter = adapterFor('read-model', settings.url);
  return (adapter.openForReading ?? adapter.open)(settings).catch(
    inUse(settings.url, 'Stop the service first, or read a copy of its folder'),
  );
}

/** Temporary read model, deleted on closing. */
export async function openScratchReadModel(whenClosing: WhenClosing): Promise<ReadModel> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-scratch-'));
  whenClosing(() => rm(folder, { recursive: true, force: true }));
  const url = `sqlite:${join(folder, 'read-model.db')}`;
  const { port, close } = await adapterFor('read-model', url).open({ url, logger: silentLogger });
  whenClosing(close);
  return port;
}
