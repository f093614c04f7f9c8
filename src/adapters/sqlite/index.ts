/** SQLite adapter: log and read models of one process, one file each. */
import type { ReadModelSettings, Technology } from '../../kernel/ports/technology.ts';
import type { SqliteDatabase } from './database.ts';

export const sqlite = {
  'event-store': {
    schemes: ['sqlite'],
    isShared: false,

    async open({ url, logger }) {
      const { createSqliteEventStore } = await import('./event-store.ts');
      const { checkAtStart } = await import('./check-events.ts');
      return onFile({ url, logger }, (database, path) => {
        const store = createSqliteEventStore(database);
        checkAtStart(database, path);
        return { parts: { port: store }, close: store.close };
      });
    },

    async openForReading({ url, logger }) {
      const { openSqliteDatabase } = await import('./database.ts');
      const { createSqliteLogReader } = await import('./log-reader.ts');
      const path = url.slice('sqlite:'.length);
      const database = openSqliteDatabase(path, { isReadOnly: true, logger });
      try {
        return createSqliteLogReader(database, path);
      } catch (error) {
        await database.close();
        throw error;
      }
    },
  },

  'read-model': {
    schemes: ['sqlite'],

    async open({ url, logger }) {
      const { createSqliteReadModel } = await import('./read-model.ts');
      return onFile({ url, logger }, (database) => {
        const readModel = createSqliteReadModel(database);
        return { parts: { port: readModel }, close: readModel.close };
      });
    },

    async openForReading({ url, logger }) {
      const { createSqliteReadModel } = await import('./read-model.ts');
      return onFile({ url, logger, isReadOnly: true }, (database, path) => {
        const readModel = createSqliteReadModel(database, { isReadOnly: true, path });
        return { parts: { port: readModel }, close: readModel.close };
      });
    },
  },
} satisfies Technology;

/** Opens the file and builds parts on it; the file is released when they are closed, or if building fails. */
async function onFile<Parts extends object>(
  { url, logger, isReadOnly = false }: ReadModelSettings & { readonly isReadOnly?: boolean },
  make: (
    database: SqliteDatabase,
    path: string,
  ) => { readonly parts: Parts; readonly close: () => Promise<void> },
) {
  const { openSqliteDatabase } = await import('./database.ts');
  const { StoreDamaged } = await import('./database-errors.ts');
  const path = url.slice('sqlite:'.length);
  const database = openSqliteDatabase(path, { isReadOnly, logger });
  try {
    const { parts, close } = make(database, path);
    return {
      ...parts,
      trouble: database.trouble,
      async close() {
        await close();
        await database.close();
      },
    };
  } catch (error) {
    const trouble = database.trouble();
    await database.close();
    throw trouble?.kind === 'damaged' ? new StoreDamaged(path, trouble.reason, error) : error;
  }
}
