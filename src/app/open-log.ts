/** Opens a log for reading only: its store, or what the service's environment names. */

import { OperatorError, StoreInUse } from '../kernel/ports/errors.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { type Logger, silentLogger } from '../kernel/ports/logger.ts';
import type { EventStoreAdapter, EventStoreSettings } from '../kernel/ports/technology.ts';
import { readLog } from '../kernel/runtime/read-log.ts';
import { environmentWith, readConfigurationOf } from '../operations/config/configuration.ts';
import { requireFormat, SERVICE_STREAM } from '../streams/service.ts';
import { adapterFor } from './adapters.ts';
import { eventStoreSettings } from './event-store-settings.ts';

export interface LogPlace {
  /** In the form of EVENT_STORE_URL; undefined for the store that the environment names. */
  readonly store?: string | undefined;
}

export interface OpenLogOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Told what happens to a connection. */
  readonly logger?: Logger;
}

/** What says where the log is. Everything else of the configuration may be wrong. */
const OF_THE_LOG = [
  'DATA_DIR',
  'EVENT_STORE_URL',
  'EVENT_STORE_PREFIX',
  'CA_FILE',
  'EVENT_STORE_CREDENTIALS_FILE',
];

/**
 * Changes nothing. Rejects with `OperatorError`, also for a log in another format; a log in SQLite has to be one that no service
 * uses.
 */
export async function openLog(place: LogPlace, options: OpenLogOptions): Promise<LogReader> {
  return requireOwnFormat(await openAnyLog(place, options));
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

async function openAnyLog(place: LogPlace, { env, logger }: OpenLogOptions): Promise<LogReader> {
  const settings = await settingsOf(place, env, logger ?? silentLogger);
  const adapter = adapterFor('event-store', settings.url);
  if (adapter.openForReading === undefined) return besideService(adapter, settings);
  try {
    return await adapter.openForReading(settings);
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error;
    throw new OperatorError(
      `${settings.url} is in use: a service runs on it, and a file of SQLite is open to one process only. Ask the service: --service <url> --operator-key-file <file>; or stop it first`,
      { cause: error },
    );
  }
}

export async function settingsOf(
  { store }: LogPlace,
  env: NodeJS.ProcessEnv,
  logger: Logger,
  name = '--store',
): Promise<EventStoreSettings> {
  const given = environmentWith(env, OF_THE_LOG);
  if (store !== undefined) given.EVENT_STORE_URL = store;
  const option = store === undefined ? undefined : name;
  const configuration = readConfigurationOf(given, { variable: 'EVENT_STORE_URL', option });
  return eventStoreSettings(configuration, logger);
}

async function besideService(adapter: EventStoreAdapter, settings: EventStoreSettings): Promise<LogReader> {
  const opened = await adapter.open(settings);
  const store: EventStore = opened.port;
  return {
    events: (options) => readLog(store, options),
    stream: (name, from) => store.read(name, from),
    head: () => store.head(),
    extentOf: store.extentOf,
    close: opened.close,
  };
}
