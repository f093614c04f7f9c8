import { randomBytes } from 'node:crypto';
import { Binary, type Db, MongoClient, ObjectId } from 'mongodb';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openMongoBlobStore } from '../../../src/adapters/mongodb/blob-store.ts';
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

const HOUR = 60 * 60 * 1_000;

function idMadeBefore(age: number): ObjectId {
  const seconds = Math.floor((Date.now() - age) / 1_000);
  return new ObjectId(seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex'));
}

describeOnEach({ count: 4, kinds: mongoServers }, (kind) => {
  let server: MongoServer;

  beforeAll(async () => {
    server = await startMongoServer({ kind }, ofTheFile);
  });

  async function open() {
    const url = server.newUrl();
    const opened = await mongoDb['blob-store'].open({ url, content: 'image' });
    onTestFinished(() => opened.store.close());
    return { ...opened, url, database: await server.database(url) };
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

  test('what an upload left behind when its process was killed is removed an hour later', async () => {
    const { store, database, url } = await open();
    const sha256 = await store.put([randomBytes(100_000)]);
    const [old, fresh, slow] = [idMadeBefore(2 * HOUR), idMadeBefore(HOUR / 2), idMadeBefore(2 * HOUR)];
    const data = new Binary(Buffer.alloc(10));
    await chunksOf(database).insertMany([
      ...[0, 1].map((n) => ({ _id: idMadeBefore(2 * HOUR), files_id: old, n, data })),
      { _id: idMadeBefore(HOUR / 2), files_id: fresh, n: 0, data },
      { _id: idMadeBefore(2 * HOUR), files_id: slow, n: 0, data },
      { _id: idMadeBefore(HOUR / 2), files_id: slow, n: 1, data },
    ]);
    const unnamed = (id: ObjectId, age: number) => ({
      _id: id,
      filename: `uploading:${id}`,
      length: 10,
      chunkSize: 10,
      uploadDate: new Date(Date.now() - age),
      metadata: {},
    });
    const [complete, recent] = [idMadeBefore(2 * HOUR), idMadeBefore(2 * HOUR)];
    await database
      .collection('images.files')
      .insertMany([unnamed(complete, 2 * HOUR), unnamed(recent, HOUR / 2)]);
    await chunksOf(database).insertMany([
      { _id: idMadeBefore(2 * HOUR), files_id: complete, n: 0, data },
      { _id: idMadeBefore(2 * HOUR), files_id: recent, n: 0, data },
    ]);
    const listed: string[] = [];
    for await (const name of store.leftAlone(new Date(Date.now() + HOUR))) listed.push(name);
    expect(listed).toEqual([sha256]);
    // Another process, which starts later.
    const client = new MongoClient(url);
    onTestFinished(() => client.close());
    const other = await openMongoBlobStore(client.db(), { content: 'image' });
    await eventually('the chunks are gone', async () => (await chunksOf(database).countDocuments()) === 6);
    await other.store.close();
    const left = await chunksOf(database).distinct('files_id');
    for (const gone of [old, complete]) expect(left.map(String)).not.toContain(String(gone));
    expect(left.map(String)).toEqual(expect.arrayContaining([fresh, slow, recent].map(String)));
    expect(await database.collection('images.files').countDocuments()).toBe(2);
    expect(await store.read(sha256, 0, 200_000)).toHaveLength(100_000);
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
