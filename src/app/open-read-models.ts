/** Opens read models outside the service: to look at them, or to fill a place that is no service's. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError, StoreInUse } from '../kernel/ports/errors.ts';
import { type Logger, silentLogger } from '../kernel/ports/logger.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { type OpenedReadModel, type ReadModelSettings, schemeOf } from '../kernel/ports/technology.ts';
import { environmentWith, readConfigurationOf } from '../operations/config/configuration.ts';
import { adapterFor } from './adapters.ts';
import { serverAccess } from './server-access.ts';

export interface ReadModelPlace {
  /** As EVENT_STORE_URL: the read models are with the log unless they are named. */
  readonly store?: string | undefined;
  /** As READ_MODEL_URL. */
  readonly readModel?: string | undefined;
}

export interface OpenReadModelOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The option that names the place, for messages to operators. */
  readonly option?: string;
  readonly logger?: Logger;
}

/** What says where read models are. Everything else of the configuration may be wrong. */
const OF_READ_MODELS = [
  'DATA_DIR',
  'EVENT_STORE_URL',
  'READ_MODEL_URL',
  'CA_FILE',
  'MONGODB_CREDENTIALS_FILE',
];

/** Changes nothing. Rejects with `OperatorError`; read models in SQLite have to be those of a stopped service. */
export async function openReadModelsForReading(
  place: ReadModelPlace,
  options: OpenReadModelOptions,
): Promise<OpenedReadModel & { readonly url: string }> {
  const settings = await settingsOf(place, options);
  const adapter = adapterFor('read-model', settings.url);
  try {
    const opened = await (adapter.openForReading ?? adapter.open)(settings);
    return { ...opened, url: settings.url };
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error;
    throw new OperatorError(
      `${settings.url} is in use: a service runs on it, and a file of SQLite is open to one process only. Stop the service first, or look at a copy of its folder`,
      { cause: error },
    );
  }
}

const SCRATCH = 'levy-scratch-';

/** A read model for as long as this process needs it. What killed processes left behind is removed on the way. */
export async function openScratchReadModel(): Promise<{
  readonly readModel: ReadModel;
  close(): Promise<void>;
}> {
  await removeLeftBehind(tmpdir());
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

async function removeLeftBehind(parent: string): Promise<void> {
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

async function settingsOf(
  { store, readModel }: ReadModelPlace,
  { env, option = '--read-model', logger = silentLogger }: OpenReadModelOptions,
): Promise<ReadModelSettings> {
  const given = environmentWith(env, OF_READ_MODELS);
  if (store !== undefined) given.EVENT_STORE_URL = store;
  if (readModel !== undefined) given.READ_MODEL_URL = readModel;
  const {
    readModel: { url },
    mongoDbCredentialsFile: credentials,
    caFile: ca,
  } = readConfigurationOf(given, {
    variable: 'READ_MODEL_URL',
    option: readModel === undefined ? undefined : option,
  });
  if (schemeOf(url) === 'sqlite') return { url, logger };
  return { url, logger, ...(await serverAccess('MongoDB', { credentials, ca })) };
}
