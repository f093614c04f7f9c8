import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { readModelContract } from '../read-model.contract.ts';
readModelContract('the MongoDB read model', async () => {
  const client = new MongoClient(process.env.U ?? 'mongodb://127.0.0.1:29117/?directConnection=true');
  const database = client.db(`c${randomUUID().slice(0, 8)}`);
  let term = 1;
  const open = async () => {
    const opened = await openReadModel({ database, report: () => undefined });
    await opened.beginTerm(term);
    term += 1;
    return opened;
  };
  let readModel = await open();
  return {
    readModel,
    async reopen() { await readModel.close(); readModel = await open(); return readModel; },
    async dispose() { await readModel.close(); await database.dropDatabase(); await client.close(); },
  };
});
