/** MongoDB adapter: read models that several processes share, and images and ledgers in GridFS. */
import type { Technology } from '../../kernel/ports/technology.ts';
import type { MongoSettings, OpenedMongo } from './client.ts';

const SCHEMES = ['mongodb', 'mongodb+srv'];

export const mongoDb = {
  'blob-store': {
    schemes: SCHEMES,

    async open({ content, ...settings }) {
      const { openMongoBlobStore } = await import('./blob-store.ts');
      const { troubleOf } = await import('./errors.ts');
      return openOn(settings, async ({ database, shown, trouble, close }) => {
        const mayBeAway = settings.waiting !== undefined;
        const { store, probe } = await openMongoBlobStore(database, { content, mayBeAway });
        return { store: { ...store, close }, place: shown, troubleOf, probe, trouble };
      });
    },
  },

  'read-model': {
    schemes: SCHEMES,

    async open({ logger, ...settings }) {
      const { openReadModel } = await import('./read-model.ts');
      return openOn(settings, async ({ database, trouble, close }) => {
        const shared = await openReadModel({ database, logger });
        return {
          port: shared,
          shared,
          trouble,
          async close() {
            await shared.close();
            await close();
          },
        };
      });
    },
  },
} satisfies Technology;

/** Opens a port on a client; closes the client again if that fails. */
async function openOn<Result>(
  settings: MongoSettings,
  open: (mongo: OpenedMongo) => Promise<Result>,
): Promise<Result> {
  const { openMongo } = await import('./client.ts');
  const { startError } = await import('./errors.ts');
  const mongo = await openMongo(settings);
  try {
    return await open(mongo);
  } catch (error) {
    await mongo.close();
    throw startError(error, mongo.shown);
  }
}
