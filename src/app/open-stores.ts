/** Opens the log and the read models made from it, with the adapters that the configuration chooses. */
import { readCredentials } from '../adapters/file/secrets.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../adapters/sqlite/database.ts';
import { createSqliteEventStore, type InlineProjections } from '../adapters/sqlite/event-store.ts';
import { createSqliteReadModel } from '../adapters/sqlite/read-model.ts';
import type { Configuration } from '../config/configuration.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { projections } from '../projections/index.ts';
import { createEventCodec, type EventCodec } from '../runtime/event-codec.ts';
import { createProjector, type Projector } from '../runtime/projector.ts';
import { categoryOfType, streams } from '../streams/index.ts';
import type { ReportOf } from './report.ts';

export interface OpenedStores {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly projector: Projector;
  readonly codec: EventCodec;
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Other processes may write to the log as well. */
  readonly isShared: boolean;
  readonly healthy: () => boolean;
  close(): Promise<void>;
}

/** Rejects with `EventStoreUnreachable` when the log is on a server that does not answer. */
export async function openStores(configuration: Configuration, reportOf: ReportOf): Promise<OpenedStores> {
  const codec = createEventCodec(streams);
  const readDatabase = openSqliteDatabase(configuration.readModel.file);
  const readModel = createSqliteReadModel(readDatabase);
  const log = await openLog(configuration, reportOf, {
    database: readDatabase,
    inline: {
      apply: (events) => projector.inline.apply(events),
      failed: (error, events) => projector.inline.failed(error, events),
    },
  }).catch(async (error: unknown) => {
    await readModel.close();
    await readDatabase.close();
    throw error;
  });
  const { store } = log;
  const projector: Projector = createProjector({
    projections,
    codec,
    store,
    readModel,
    categoryOfType,
    report: reportOf('projections'),
    ...(log.isInline ? { synchronous: readModel } : {}),
  });
  return {
    store,
    readModel,
    projector,
    codec,
    categoryOfType,
    isShared: log.isShared,
    healthy: () => log.healthy() && readDatabase.healthy(),
    async close() {
      await projector.stop();
      await log.close();
      await readModel.close();
      await readDatabase.close();
    },
  };
}

interface OpenedLog {
  readonly store: EventStore;
  readonly isShared: boolean;
  /** Events and the documents made of them are written together. */
  readonly isInline: boolean;
  readonly healthy: () => boolean;
  close(): Promise<void>;
}

async function openLog(
  configuration: Configuration,
  reportOf: ReportOf,
  documents: { readonly database: SqliteDatabase; readonly inline: InlineProjections },
): Promise<OpenedLog> {
  const { eventStore, readModel } = configuration;
  if (eventStore.kind === 'esdb') return openServerLog(configuration, eventStore.url, reportOf);
  if (eventStore.file === readModel.file) {
    const store = createSqliteEventStore(documents.database, { inline: documents.inline });
    return { store, isShared: false, isInline: true, healthy: () => true, close: () => store.close() };
  }
  const database = openSqliteDatabase(eventStore.file);
  const store = createSqliteEventStore(database);
  return {
    store,
    isShared: false,
    isInline: false,
    healthy: () => database.healthy(),
    async close() {
      await store.close();
      await database.close();
    },
  };
}

async function openServerLog(
  configuration: Configuration,
  url: string,
  reportOf: ReportOf,
): Promise<OpenedLog> {
  const { eventStorePrefix, eventStoreCaFile, eventStoreCredentialsFile } = configuration;
  const user =
    eventStoreCredentialsFile &&
    (await readCredentials(eventStoreCredentialsFile, 'EventStoreDB credentials'));
  // Only where it is used: its libraries are large, and whoever starts on SQLite needs none of them.
  const { openEventStoreDb } = await import('../adapters/eventstoredb/event-store.ts');
  const store = await openEventStoreDb({
    url,
    prefix: eventStorePrefix,
    report: reportOf('event-store'),
    ...(user ? { user } : {}),
    ...(eventStoreCaFile === undefined ? {} : { caFile: eventStoreCaFile }),
  });
  return {
    store,
    isShared: true,
    isInline: false,
    healthy: () => store.healthy(),
    close: () => store.close(),
  };
}
