import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';
import { paceOf } from '../../support/mongo-abilities.ts';
import { imageStoreContract } from '../image-store.contract.ts';

describeOnMongo({ count: 29 }, (server, kind) => {
  const { races } = paceOf(kind);
  imageStoreContract(
    `MongoDB (${kind})`,
    async () => {
      const url = (await server()).newUrl();
      return {
        open: async () => (await mongoDb['image-store'].open({ url })).store,
        async discard() {},
      };
    },
    { races },
  );
});
