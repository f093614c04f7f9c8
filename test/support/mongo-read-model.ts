/** The read model at an address of MongoDB, until the test is over. */
import { onTestFinished } from 'vitest';
import { openMongo } from '../../src/adapters/mongodb/client.ts';
import { openReadModel } from '../../src/adapters/mongodb/read-model.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import type { SharedReadModel } from '../../src/kernel/ports/shared-read-model.ts';

export async function openMongoReadModel(url: string): Promise<SharedReadModel> {
  const { database, close } = await openMongo({ url });
  const readModel = await openReadModel({ database, logger: silentLogger });
  onTestFinished(async () => {
    await readModel.close();
    await close();
  });
  return readModel;
}
