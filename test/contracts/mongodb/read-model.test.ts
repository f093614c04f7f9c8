// The read model in MongoDB keeps the contracts of both its ports, on every server that is there.
import { openMongo } from '../../../src/adapters/mongodb/client.ts';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { mongoKinds, sharedMongo, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { readModelContract } from '../read-model.contract.ts';
import { sharedReadModelContract } from '../shared-read-model.contract.ts';

tellOfSkippedMongo(85, mongoKinds.length > 0);

/** A server in Python takes milliseconds for each document that it writes. */
const MANY = { url: 5_000, command: 5_000, secantusdb: 400, ferretdb: 200 } as const;

for (const kind of mongoKinds) {
  const server = sharedMongo(kind);

  async function openAt(url: string) {
    const mongo = await openMongo({ url });
    const readModel = await openReadModel({ database: mongo.database, report: () => undefined });
    return {
      readModel,
      async close() {
        await readModel.close();
        await mongo.close();
      },
    };
  }

  readModelContract(
    `the MongoDB read model on ${kind}`,
    { atomicCommit: false, many: MANY[kind] },
    async () => {
      const url = (await server).newUrl();
      let term = 1;
      let opened = await openAt(url);
      await opened.readModel.beginTerm(term);
      return {
        readModel: opened.readModel,
        async reopen() {
          await opened.close();
          term += 1;
          opened = await openAt(url);
          await opened.readModel.beginTerm(term);
          return opened.readModel;
        },
        dispose: () => opened.close(),
      };
    },
  );

  sharedReadModelContract(`the MongoDB read model on ${kind}`, async () => {
    const url = (await server).newUrl();
    const opened: Awaited<ReturnType<typeof openAt>>[] = [];
    return {
      async open() {
        const added = await openAt(url);
        opened.push(added);
        return added.readModel;
      },
      async dispose() {
        for (const each of opened) await each.close();
      },
    };
  });
}
