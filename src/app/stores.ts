/** Opens the stores that the configuration names: for the service, and for commands that read or copy them. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCredentials } from '../adapters/file/secrets.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
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
import { createEventCodec } from '../kernel/runtime/event-codec.ts';
import { createEventReader, type EventReader } from '../kernel/runtime/event-reader.ts';
import { readLog } from '../kernel/runtime/read-log.ts';
import { type WatchedStore, watchStore } from '../kernel/runtime/watched-store.ts';
import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
} from '../operations/config/configuration.ts';
import { streams } from '../streams/index.ts';
import { requireFormat, SERVICE_STREAM } from '../streams/service.ts';
import { adapterFor } from './adapters.ts';
import { folderOrRefused } from './start-refusals.ts';

/** The variables that name stores. A command that opens stores needs no other to be right. */
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

type StoreVariable = (typeof STORE_VARIABLES)[number];

/** Addresses that options of a command give, by the variables that they replace. */
export type GivenAddresses = {
  readonly [Name in StoreVariable]?: { readonly option: string; readonly url: string | undefined };
};

/** The configured stores, with addresses that options give instead. Throws `OperatorError` that names the option. */
export function storeConfiguration(env: NodeJS.ProcessEnv, given: GivenAddresses = {}): Configuration {
  try {
    return readConfiguration(
      Object.fromEntries(STORE_VARIABLES.map((name) => [name, given[name]?.url ?? env[name]])),
    );
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    let { message } = error;
    for (const [name, { option, url }] of Object.entries(given))
      if (url !== undefined) message = message.replaceAll(name, option);
    throw new OperatorError(message, { cause: error });
  }
}

/** Rejects with `OperatorError` where files with credentials or certificates cannot be used. */
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
  { readModel: { url }, ...configuration }: Configuration,
  logger: Logger,
): Promise<ReadModelSettings> {
  return { url, logger, ...(schemeOf(url) === 'sqlite' ? {} : await mongoDbAccess(configuration)) };
}

export type MongoDbAccess = Partial<Pick<Configuration, 'mongoDbCredentialsFile' | 'caFile'>>;

export function mongoDbAccess({ mongoDbCredentialsFile, caFile }: MongoDbAccess) {
  return serverAccess('MongoDB', mongoDbCredentialsFile, caFile);
}

/** `title` names the server in messages. */
async function serverAccess(title: string, credentials: string | undefined, caFile: string | undefined) {
  const user =
    credentials === undefined ? undefined : await readCredentials(credentials, `${title} credentials`);
  return { user, caFile };
}

/** A service waits for a server that does not answer yet; a command does not. */
interface ServiceParts {
  readonly meter: ClientMeter;
  readonly logger: Logger;
}

export const FILE_STORES = {
  images: { key: 'imageStore', variable: 'IMAGE_STORE_URL', content: 'image' },
  /** Ledgers and the transparency log. */
  ledgers: { key: 'ledgerStore', variable: 'LEDGER_STORE_URL', content: 'ledger file' },
} as const;

/** `option` names the address in messages, where an option gave it. */
export async function openFileStore(
  what: keyof typeof FILE_STORES,
  configuration: Configuration,
  { service, option }: { readonly service?: ServiceParts; readonly option?: string } = {},
): Promise<WatchedStore<BlobStore>> {
  const { key, variable, content } = FILE_STORES[what];
  const { url } = configuration[key];
  const adapter = adapterFor('blob-store', url);
  const opened =
    schemeOf(url) === 'file'
      ? await folderOrRefused({ folder: pathIn(url), name: option ?? variable }, () =>
          adapter.open({ url, content }),
        )
      : await adapter.open({
          url,
          content,
          meter: service?.meter,
          waiting: service?.logger,
          ...(await mongoDbAccess(configuration)),
        });
  return watchStore(opened, { what, writes: ['put', 'putFile'], logger: service?.logger ?? silentLogger });
}

export interface OpenLogOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Receives events of the connection. */
  readonly logger?: Logger;
}

/**
 * Opens a log for reading: at `store`, in the form of EVENT_STORE_URL, or the one that the environment names. Changes
 * nothing. Rejects with `OperatorError`, also for a log in another format and for a log in SQLite that a service uses.
 */
export async function openLog(
  { store }: { readonly store?: string | undefined },
  { env, logger = silentLogger }: OpenLogOptions,
): Promise<LogReader> {
  const configuration = storeConfiguration(env, { EVENT_STORE_URL: { option: '--store', url: store } });
  const settings = await eventStoreSettings(configuration, logger);
  const adapter = adapterFor('event-store', settings.url);
  if (adapter.openForReading !== undefined)
    return requireOwnFormat(
      await adapter.openForReading(settings).catch((error: unknown) => {
        if (!(error instanceof StoreInUse)) throw error;
        throw new OperatorError(
          `${settings.url} is in use: a service runs on it, and a file of SQLite is open to one process only. Ask the service: --service <url> --operator-key-file <file>; or stop it first`,
          { cause: error },
        );
      }),
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

/** Decodes the events of a log that is only read, without those that operators have quarantined. */
export async function eventReaderOf(log: LogReader): Promise<EventReader> {
  const reader = createEventReader({
    codec: createEventCodec(streams),
    store: { read: (stream, from) => log.stream(stream, from) },
    logger: silentLogger,
  });
  await reader.refresh();
  return reader;
}

/** Changes nothing. Rejects with `OperatorError`; read models in SQLite have to be those of a stopped service. */
export async function openReadModelsForReading(
  { store, readModel }: { readonly store?: string | undefined; readonly readModel?: string | undefined },
  env: NodeJS.ProcessEnv,
): Promise<OpenedReadModel> {
  const configuration = storeConfiguration(env, {
    EVENT_STORE_URL: { option: '--store', url: store },
    READ_MODEL_URL: { option: '--read-model', url: readModel },
  });
  const settings = await readModelSettings(configuration, silentLogger);
  const adapter = adapterFor('read-model', settings.url);
  try {
    return await (adapter.openForReading ?? adapter.open)(settings);
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error;
    throw new OperatorError(
      `${settings.url} is in use: a service runs on it, and a file of SQLite is open to one process only. Stop the service first, or read a copy of its folder`,
      { cause: error },
    );
  }
}

const SCRATCH = 'levy-scratch-';

/** A read model for as long as this process needs it. Removes those that killed processes left. */
export async function openScratchReadModel(): Promise<{
  readonly readModel: ReadModel;
  close(): Promise<void>;
}> {
  await removeAbandoned(tmpdir());
  const folder = await mkdtemp(join(tmpdir(), `${SCRATCH}${process.pid}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const url = `sqlite:${join(folder, 'read-model.db')}`;
    const opened = await adapterFor('read-model', url).open({ url, logger: silentLogger });
    return {
      readModel: opened.port,
      async close() {
        await opened.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(SCRATCH) ? Number(name.slice(SCRATCH.length).split('-', 1)[0]) : undefined;
    if (pid === undefined || isRunning(pid)) continue;
    // Another user's is left to that user.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
