import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';
import { layInGrid } from '../../support/lay-in-grid.ts';
import { paceOf } from '../../support/mongo-abilities.ts';
import { blobStoreContract } from '../blob-store.contract.ts';

describeOnMongo({ count: 62 }, (server, kind) => {
  const { races } = paceOf(kind);
  blobStoreContract(
    `MongoDB (${kind})`,
    async () => {
      const running = await server();
      const url = running.newUrl();
      return {
        open: async () => (await mongoDb['blob-store'].open({ url, content: 'ledger file' })).store,
        lay: async (sha256, bytes) => layInGrid(await running.database(url), 'ledgers', sha256, bytes),
      };
    },
    { races },
  );
});
