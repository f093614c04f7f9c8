/** MongoDB: read models that several processes share, and images and ledgers in GridFS. */
import type { Technology } from '../../kernel/ports/technology.ts';
import type { MongoSettings, OpenedMongo } from './client.ts';

const SCHEMES = ['mongodb', 'mongodb+srv'];

export const mongoDb = {
  'blob-store': {
    schemes: SCHEMES,

    async open(settings) {
      const { openMongoBlobStore } = await import('./blob-store.ts');
      return openFiles(settings, ({ database }, mayBeAway) => openMongoBlobStore(database, { mayBeAway }));
    },
  },

  'image-store': {
    schemes: SCHEMES,

    async open(settings) {
      const { openMongoImageStore } = await import('./image-store.ts');
      return openFiles(settings, ({ database }, mayBeAway) => openMongoImageStore(database, { mayBeAway }));
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
          healthy: () => trouble() === undefined,
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

async function openFiles<Store extends { close(): Promise<void> }>(
  settings: MongoSettings,
  open: (
    mongo: OpenedMongo,
    mayBeAway: boolean,
  ) => Promise<{ readonly store: Store; readonly probe: () => Promise<void> }>,
) {
  const { troubleOf } = await import('./errors.ts');
  return openOn(settings, async (mongo) => {
    const { store, probe } = await open(mongo, settings.waiting !== undefined);
    const closeStore = store.close;
    const close = async () => {
      await closeStore();
      await mongo.close();
    };
    return { store: { ...store, close }, place: mongo.shown, troubleOf, probe, trouble: mongo.trouble };
  });
}

/** Leaves no connection open when it rejects. */
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
