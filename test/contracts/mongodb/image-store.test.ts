import { describe } from 'vitest';
import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { mongoKinds, sharedMongo, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { imageStoreContract } from '../image-store.contract.ts';

tellOfSkippedMongo(27, mongoKinds.length > 0);

describe.each(mongoKinds)('%s', (kind) => {
  let server: ReturnType<typeof sharedMongo> | undefined;
  imageStoreContract(`MongoDB (${kind})`, async () => {
    server ??= sharedMongo(kind);
    const url = (await server).newUrl();
    return {
      open: async () => (await mongoDb['image-store'].open({ url })).store,
      async discard() {},
    };
  });
});
