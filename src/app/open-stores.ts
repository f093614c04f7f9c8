/** Opens the log and the read models made from it, with the adapters that the configuration chooses. */
import { openSqliteDatabase } from '../adapters/sqlite-database.ts';
import { createSqliteEventStore } from '../adapters/sqlite-event-store.ts';
import { createSqliteReadModel } from '../adapters/sqlite-read-model.ts';
import type { Configuration } from '../config.ts';
import { projections } from '../projections/index.ts';
import { createEventCodec } from '../runtime/event-codec.ts';
import { createProjector, type Projector } from '../runtime/projector.ts';
import { categoryOfType, streams } from '../streams/index.ts';

export function openStores(configuration: Configuration, report: (message: string, details: object) => void) {
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
    report,
    ...(shared ? { synchronous: readModel } : {}),
  });
  return {
    store,
    readModel,
    projector,
    codec,
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
