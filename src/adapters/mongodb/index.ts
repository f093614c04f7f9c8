/** MongoDB: read models that several processes share, and images and ledgers in GridFS. */
import type { Technology } from '../../ports/technology.ts';

const SCHEMES = ['mongodb', 'mongodb+srv'];

export const mongoDb = {
  'read-model': {
    schemes: SCHEMES,

    async open({ report, ...settings }) {
      const { openMongo } = await import('./client.ts');
      const { openReadModel } = await import('./read-model.ts');
      const { database, trouble, close } = await openMongo(settings);
      const shared = await openReadModel({ database, report });
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
    },
  },
} satisfies Technology;
