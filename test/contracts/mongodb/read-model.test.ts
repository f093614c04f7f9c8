// The read model in MongoDB keeps the contracts of both its ports, on every server that is there.
import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { mongoKinds, sharedMongo, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { readModelContract } from '../read-model.contract.ts';
import { sharedReadModelContract } from '../shared-read-model.contract.ts';

tellOfSkippedMongo(85, mongoKinds.length > 0);

/** A server in Python takes milliseconds for each document that it writes. */
const MANY = { url: 5_000, command: 5_000, secantusdb: 400, ferretdb: 200 } as const;

for (const kind of mongoKinds) {
  const server = sharedMongo(kind);

  const openAt = (url: string) => mongoDb['read-model'].open({ url, report: () => undefined });

  readModelContract(
    `the MongoDB read model on ${kind}`,
    { atomicCommit: false, many: MANY[kind] },
    async () => {
      const url = (await server).newUrl();
      let term = 1;
      let opened = await openAt(url);
      await opened.shared.beginTerm(term);
      return {
        readModel: opened.port,
        async reopen() {
          await opened.close();
          term += 1;
          opened = await openAt(url);
          await opened.shared.beginTerm(term);
          return opened.port;
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
        return added.shared;
      },
      async dispose() {
        for (const each of opened) await each.close();
      },
    };
  });
}
