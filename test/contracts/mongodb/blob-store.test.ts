import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';
import { paceOf } from '../../support/mongo-abilities.ts';
import { blobStoreContract } from '../blob-store.contract.ts';

describeOnMongo({ count: 54 }, (server, kind) => {
  const { races } = paceOf(kind);
  blobStoreContract(
    `MongoDB (${kind})`,
    async () => {
      const url = (await server()).newUrl();
      return {
        open: async () => (await mongoDb['blob-store'].open({ url })).store,
        async discard() {},
      };
    },
    { races },
  );
});
