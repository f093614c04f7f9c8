// The role projector keeps its contract over read models in MongoDB, on each server that is there.
import { describeOnMongo } from '../../support/describe-on-mongo.ts';
import { openMongoReadModel } from '../../support/mongo-read-model.ts';
import { takenAway } from '../../support/shared-read-model.ts';
import { sharedProjectorContract } from '../shared-projector.contract.ts';

describeOnMongo({ count: 14 }, (server) => {
  sharedProjectorContract('MongoDB', async () => {
    const url = (await server()).newUrl();
    return takenAway(() => openMongoReadModel(url));
  });
});
