/** Opens the log and the read models made from it, with the adapters that the configuration chooses. */
import { openSqliteDatabase } from '../adapters/sqlite-database.ts';
import { createSqliteEventStore } from '../adapters/sqlite-event-store.ts';
import { createSqliteReadModel } from '../adapters/sqlite-read-model.ts';
import type { Configuration } from '../config.ts';
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

export async function openStores(configuration: Configuration, reportOf: ReportOf): Promise<OpenedStores> {
  const codec = createEventCodec(streams);
  const database = openSqliteDatabase(configuration.eventStore.file);
  const shared = configuration.readModel.file === configuration.eventStore.file;
  const readDatabase = shared ? database : openSqliteDatabase(configuration.readModel.file);
  const readModel = createSqliteReadModel(readDatabase);
  const store = createSqliteEventStore(
    database,
    shared
      ? {
          inline: {
            apply: (events) => projector.inline.apply(events),
            failed: (error, events) => projector.inline.failed(error, events),
          },
        }
      : {},
  );
  const projector: Projector = createProjector({
    projections,
    codec,
    store,
    readModel,
    categoryOfType,
    report: reportOf('projections'),
    ...(shared ? { synchronous: readModel } : {}),
  });
  return {
    store,
    readModel,
    projector,
    codec,
    categoryOfType,
    isShared: false,
    healthy: () => database.healthy() && readDatabase.healthy(),
    async close() {
      await projector.stop();
      await store.close();
      await readModel.close();
      await database.close();
      if (!shared) await readDatabase.close();
    },
  };
}
