import { describe, expect, test } from 'vitest';
import { mongoServers, startMongoServer, tellOfSkippedMongo } from '../../support/mongo-server.ts';

tellOfSkippedMongo(1);

describe.skipIf(mongoServers.length === 0)('a server for the tests', () => {
  test.each(mongoServers)('keeps what it acknowledged when it is killed: %s', async (kind) => {
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
