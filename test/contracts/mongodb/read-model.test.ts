// The read model in MongoDB keeps the contracts of both its ports, on every server that is there.
import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import { describeOnMongo, tellOfSkipped } from '../../support/describe-on-mongo.ts';
import { paceOf } from '../../support/mongo-abilities.ts';
import { mongoKinds } from '../../support/mongo-server.ts';
import { readModelContract } from '../read-model.contract.ts';
import { sharedReadModelContract } from '../shared-read-model.contract.ts';

for (const kind of mongoKinds) {
  tellOfSkipped(1, kind, 'a commit is not seen whole in MongoDB');
  const skippedSeeds = 2 * (3 - paceOf(kind).seeds);
  if (skippedSeeds > 0) tellOfSkipped(skippedSeeds, kind, 'it is too slow for every seed');
}

describeOnMongo({ count: 85 }, (server, kind) => {
  const openAt = (url: string) => mongoDb['read-model'].open({ url, logger: silentLogger });
  const { many, seeds } = paceOf(kind);

  readModelContract('the MongoDB read model', { atomicCommit: false, many, seeds }, async () => {
    const url = (await server()).newUrl();
    let term = 1;
    let opened = await openAt(url);
    await opened.shared.startTerm(term);
    return {
      readModel: opened.port,
      async reopen() {
        await opened.close();
        term += 1;
        opened = await openAt(url);
        await opened.shared.startTerm(term);
        return opened.port;
      },
      dispose: () => opened.close(),
    };
  });

  sharedReadModelContract('the MongoDB read model', async () => {
    const url = (await server()).newUrl();
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
});
