/** Opens the log and its read models with the configured adapters. */
import { makePrivateDirectory } from '../adapters/file/durable-file.ts';
import type { ClientMeter } from '../kernel/ports/client-meter.ts';
import type { StoreTrouble } from '../kernel/ports/errors.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import type { SharedReadModel } from '../kernel/ports/shared-read-model.ts';
import { type OpenedReadModel, schemeOf } from '../kernel/ports/technology.ts';
import type { ReadFiles } from '../kernel/runtime/define-projection.ts';
import { createEventCodec, type EventCodec } from '../kernel/runtime/event-codec.ts';
import { createEventReader, type EventReader } from '../kernel/runtime/event-reader.ts';
import { createProjector, type Projector } from '../kernel/runtime/projector.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { keptProjections } from '../projections/index.ts';
import { categoryOfType, streams } from '../streams/index.ts';
import { adapterFor } from './adapters.ts';
import { eventStoreSettings } from './event-store-settings.ts';
import { serverAccess } from './server-access.ts';
import { databaseFolderOrRefused, databasesOf } from './start-refusals.ts';

export interface OpenedStores {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Undefined where another process may be the one that writes the read models. */
  readonly projector: Projector | undefined;
  /** The read models, where several processes use the same ones. */
  readonly shared: SharedReadModel | undefined;
  readonly codec: EventCodec;
  readonly reader: EventReader;
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Whether other processes may write to the log as well. */
  readonly isShared: boolean;
  /** The health of the log. */
  readonly health: StoreHealth;
  /** The health of the read models. */
  readonly readModelHealth: StoreHealth;
  close(): Promise<void>;
}

export interface StoreHealth {
  readonly healthy: () => boolean;
  /** What keeps the store from working, where it knows. */
  readonly trouble: () => StoreTrouble | undefined;
}

/** Rejects with `OperatorError` when one of them cannot be used; then nothing stays open. */
export async function openStores(
  configuration: Configuration,
  logger: Logger,
  meter: ClientMeter,
  filesOf: ReadFiles,
): Promise<OpenedStores> {
  const codec = createEventCodec(streams);
  const opened = await openLogAndDocuments(configuration, logger, meter);
  const { store, readModel, shared } = opened;
  const reader = createEventReader({ store, codec, logger: logger.child({ part: 'events' }) });
  const projector: Projector | undefined =
    shared === undefined
      ? createProjector({
          projections: keptProjections,
          filesOf,
          reader,
          store,
          readModel,
          categoryOfType,
          logger: logger.child({ part: 'projections' }),
        })
      : undefined;
  await reader.refresh().catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  return {
    store,
    readModel,
    projector,
    shared,
    codec,
    reader,
    categoryOfType,
    isShared: adapterFor('event-store', configuration.eventStore.url).isShared,
    health: opened.health,
    readModelHealth: opened.readModelHealth,
    async close() {
      await projector?.stop();
      await opened.close();
    },
  };
}

interface LogAndDocuments extends Pick<OpenedStores, 'health' | 'readModelHealth'> {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly shared: SharedReadModel | undefined;
  close(): Promise<void>;
}

async function openLogAndDocuments(
  configuration: Configuration,
  logger: Logger,
  meter: ClientMeter,
): Promise<LogAndDocuments> {
  for (const { url, name } of databasesOf(configuration))
    await databaseFolderOrRefused({ url, name }, makePrivateDirectory);
  const settings = await eventStoreSettings(configuration, logger.child({ part: 'event-store' }));
  const adapter = adapterFor('event-store', configuration.eventStore.url);
  // The log first: read models without a log are what is left of a lost one.
  const log = await adapter.open(settings);
  const documents = await openDocuments(configuration, logger, meter).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  return {
    store: log.port,
    readModel: documents.port,
    shared: documents.shared,
    health: healthOf(log),
    readModelHealth: healthOf(documents),
    async close() {
      await log.close();
      await documents.close();
    },
  };
}

async function openDocuments(
  { readModel: { url }, mongoDbCredentialsFile: credentials, caFile: ca }: Configuration,
  parent: Logger,
  meter: ClientMeter,
): Promise<OpenedReadModel> {
  const logger = parent.child({ part: 'read-model' });
  const access = schemeOf(url) === 'sqlite' ? {} : await serverAccess('MongoDB', { credentials, ca });
  return adapterFor('read-model', url).open({ ...access, url, meter, logger, waiting: logger });
}

function healthOf(opened: {
  readonly healthy: () => boolean;
  readonly trouble?: () => StoreTrouble | undefined;
}): StoreHealth {
  return { healthy: () => opened.healthy(), trouble: () => opened.trouble?.() };
}
