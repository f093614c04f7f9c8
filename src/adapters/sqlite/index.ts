/** SQLite: the log and the read models of one process, each in a file of its own or both in one. */
import type { Technology } from '../../ports/technology.ts';
import type { SqliteDatabase } from './database.ts';

export const sqlite = {
  'event-store': {
    schemes: ['sqlite'],
    isShared: false,

    async open({ url }) {
      const { createSqliteEventStore } = await import('./event-store.ts');
      return onFile(url, (database) => {
        const store = createSqliteEventStore(database);
        return { parts: { port: store }, close: store.close };
      });
    },

    async openWithReadModel({ url }, inline) {
      const { createSqliteEventStore } = await import('./event-store.ts');
      const { createSqliteReadModel } = await import('./read-model.ts');
      return onFile(url, (database) => {
        const readModel = createSqliteReadModel(database);
        const store = createSqliteEventStore(database, { inline });
        const close = async () => {
          await store.close();
          await readModel.close();
        };
        return { parts: { store, readModel }, close };
      });
    },
  },

  'read-model': {
    schemes: ['sqlite'],

    async open({ url }) {
      const { createSqliteReadModel } = await import('./read-model.ts');
      return onFile(url, (database) => {
        const readModel = createSqliteReadModel(database);
        return { parts: { port: readModel }, close: readModel.close };
      });
    },
  },
} satisfies Technology;

/** Builds parts on the file; releases the file when they are closed, or if building fails. */
async function onFile<Parts extends object>(
  url: string,
  make: (database: SqliteDatabase) => { readonly parts: Parts; readonly close: () => Promise<void> },
) {
  const { openSqliteDatabase } = await import('./database.ts');
  const database = openSqliteDatabase(url.slice('sqlite:'.length));
  try {
    const { parts, close } = make(database);
    return {
      ...parts,
      healthy: database.healthy,
      async close() {
        await close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
