// The role projector keeps its contract over read models in MongoDB, on each server that is there.
import { onTestFinished } from 'vitest';
import { openMongo } from '../../../src/adapters/mongodb/client.ts';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';
import { takenAway } from '../../support/shared-read-model.ts';
import { sharedProjectorContract } from '../shared-projector.contract.ts';

describeOnMongo({ count: 14 }, (server) => {
  sharedProjectorContract('MongoDB', async () => {
    const url = (await server()).newUrl();
    return takenAway(async () => {
      const { database, close } = await openMongo({ url });
      const readModel = await openReadModel({ database, report: () => undefined });
      onTestFinished(async () => {
        await readModel.close();
        await close();
      });
      return readModel;
    });
  });
});
