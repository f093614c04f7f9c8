import { expect, test } from 'vitest';
import { describeOnEach } from '../../support/describe-on-mongo.ts';
import { mongoServers, startMongoServer } from '../../support/mongo-server.ts';

describeOnEach({ count: 1, kinds: mongoServers }, (kind) => {
  test('a server for the tests keeps what it acknowledged when it is killed', async () => {
    const server = await startMongoServer({ kind });
    const url = server.newUrl();
    const before = (await server.database(url)).collection<{ _id: number }>('rows', {
      writeConcern: { w: 'majority', journal: true },
    });
    let acknowledged = 0;
    const writing = (async () => {
      for (;;) {
        await before.insertOne({ _id: acknowledged });
        acknowledged += 1;
        if (acknowledged === 50) void server.kill();
      }
    })();
    await expect(writing).rejects.toThrow();
    await server.start();
    const after = (await server.database(url)).collection<{ _id: number }>('rows');
    expect(await after.countDocuments()).toBeGreaterThanOrEqual(acknowledged);
  });
});
