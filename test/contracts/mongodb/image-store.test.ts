import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';
import { layInGrid } from '../../support/lay-in-grid.ts';
import { paceOf } from '../../support/mongo-abilities.ts';
import { imageStoreContract } from '../image-store.contract.ts';

describeOnMongo({ count: 33 }, (server, kind) => {
  const { races } = paceOf(kind);
  imageStoreContract(
    `MongoDB (${kind})`,
    async () => {
      const running = await server();
      const url = running.newUrl();
      return {
        open: async () => (await mongoDb['image-store'].open({ url })).store,
        lay: async (cid, bytes) => layInGrid(await running.database(url), 'images', cid, bytes),
        async discard() {},
      };
    },
    { races },
  );
});
