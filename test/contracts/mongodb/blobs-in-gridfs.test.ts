import { randomBytes } from 'node:crypto';
import { Binary, type Db } from 'mongodb';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { describeOnEach } from '../../support/describe-on-mongo.ts';
import { eventually } from '../../support/eventually.ts';
import { ofTheFile } from '../../support/lifetime.ts';
import {
  type MongoServer,
  mongoServers,
  startMongoServer,
  tellOfSkippedMongo,
} from '../../support/mongo-server.ts';

tellOfSkippedMongo(1);

describeOnEach({ count: 3, kinds: mongoServers }, (kind) => {
  let server: MongoServer;

  beforeAll(async () => {
    server = await startMongoServer({ kind }, ofTheFile);
  });

  async function open() {
    const url = server.newUrl();
    const opened = await mongoDb['blob-store'].open({ url, content: 'image' });
    onTestFinished(() => opened.store.close());
    return { ...opened, database: await server.database(url) };
  }

  const chunksOf = (database: Db) => database.collection('images.chunks');

  test('images in GridFS have the form that the tools of MongoDB know', async () => {
    const { store, database } = await open();
    const bytes = randomBytes(150_000);
    const sha256 = await store.put([bytes]);
    const file = await database.collection('images.files').findOne({});
    expect(file).toMatchObject({ filename: sha256, length: 150_000, chunkSize: 65_536 });
    const chunks = await chunksOf(database)
      .find({ files_id: file?._id }, { sort: { n: 1 } })
      .toArray();
    expect(chunks.map(({ n, data }) => [n, data.length()])).toEqual([
      [0, 65_536],
      [1, 65_536],
      [2, 18_928],
    ]);
  });

  test('images in GridFS of many uploads at once, one stays, and no chunk of the others', async () => {
    const { store, database } = await open();
    const bytes = randomBytes(50_000);
    await Promise.all(Array.from({ length: 10 }, () => store.put([bytes])));
    expect(await database.collection('images.files').countDocuments()).toBe(1);
    expect(await chunksOf(database).countDocuments()).toBe(1);
  });

  test('images in GridFS that have a wrong or a missing chunk are an error, never other bytes', async () => {
    const { store, database } = await open();
    const bytes = randomBytes(100_000);
    const sha256 = await store.put([bytes]);
    await chunksOf(database).updateOne({ n: 1 }, { $set: { data: new Binary(Buffer.alloc(34_464)) } });
    await expect(store.read(sha256, 0, 100_000)).rejects.toThrow('is damaged');
    await chunksOf(database).deleteOne({ n: 1 });
    await expect(store.read(sha256, 0, 100_000)).rejects.toThrow('is damaged');
    expect(await store.remove(sha256, new Date())).toBe(true);
    expect(await store.put([bytes])).toBe(sha256);
    expect(bytes.equals((await store.read(sha256, 0, 100_000)) ?? Buffer.alloc(0))).toBe(true);
  });
});

test.skipIf(mongoServers.length === 0)(
  'a server that is killed is told, nothing that was stored is lost, and it goes on by itself',
  async () => {
    const server = await startMongoServer();
    const url = server.newUrl();
    const { store, trouble, troubleOf, probe } = await mongoDb['blob-store'].open({ url, content: 'image' });
    onTestFinished(() => store.close());
    const bytes = randomBytes(20_000);
    const sha256 = await store.put([bytes]);
    await server.kill();
    const late = randomBytes(10);
    const refusals = await Promise.allSettled([store.read(sha256, 0, 10), store.put([late])]);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
      if (refusal.status === 'rejected')
        expect(troubleOf(refusal.reason)).toMatchObject({ kind: 'not answering', where: 'MongoDB' });
    }
    await eventually('the loss is known without a call', async () => trouble() !== undefined);
    await expect(probe()).rejects.toThrow();
    await server.start();
    await eventually('it is over', async () => {
      await probe();
      return trouble() === undefined;
    });
    expect(await store.read(sha256, 0, 30_000)).toHaveLength(bytes.length);
    await store.put([late]);
  },
);
