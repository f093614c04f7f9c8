import { describe } from 'vitest';
import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { mongoKinds, sharedMongo, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { blobStoreContract } from '../blob-store.contract.ts';

tellOfSkippedMongo(60, mongoKinds.length > 0);

describe.each(mongoKinds)('%s', (kind) => {
  let server: ReturnType<typeof sharedMongo> | undefined;
  blobStoreContract(`MongoDB (${kind})`, async () => {
    server ??= sharedMongo(kind);
    const url = (await server).newUrl();
    return {
      open: async () => (await mongoDb['blob-store'].open({ url })).store,
      async discard() {},
    };
  });
});
