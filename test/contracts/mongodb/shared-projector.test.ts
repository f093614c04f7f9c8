// The role projector keeps its contract over read models in MongoDB, on each server that is there.
import { describe, onTestFinished } from 'vitest';
import { openMongo } from '../../../src/adapters/mongodb/client.ts';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { hasMongo, mongoKinds, sharedMongo, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { takenAway } from '../../support/shared-read-model.ts';
import { sharedProjectorContract } from '../shared-projector.contract.ts';

tellOfSkippedMongo(14, hasMongo);

describe.each(mongoKinds)('%s', async (kind) => {
  const server = await sharedMongo(kind);
  sharedProjectorContract('MongoDB', async () => {
    const url = server.newUrl();
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
