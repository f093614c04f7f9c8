// Read models are exact again after their server was put back to an older state, as a forced rollback of a replica set does.
import type { Db, Document } from 'mongodb';
import { expect, test } from 'vitest';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';
import { eventually } from '../../support/eventually.ts';
import { openMongoReadModel } from '../../support/mongo-read-model.ts';
import { takenAway } from '../../support/shared-read-model.ts';
import { termOf, totalOf, totals, worldOn } from '../shared-projector.contract.ts';

describeOnMongo({ count: 2 }, (server) => {
  async function world() {
    const mongo = await server();
    const url = mongo.newUrl();
    const models = takenAway(() => openMongoReadModel(url));
    const opened = await worldOn(models);
    await opened.count(1, 2, 3);
    const work = await opened.project(termOf(1));
    const followed = await opened.follow();
    expect(await totalOf(followed, await opened.count(4))).toBe(10);
    const putBack = await stateOf(await mongo.database(url));
    expect(await totalOf(followed, await opened.count(5))).toBe(15);
    return { ...opened, work, followed, putBack };
  }

  const told = expect.arrayContaining([expect.stringMatching(/^read models lost acknowledged writes/)]);

  test('the writer that writes next gives up, and the next term fills the gap', async () => {
    const { work, followed, putBack, count, project, reports } = await world();
    await putBack();
    const position = await count(6);
    await work.ended;
    expect(reports).toEqual(told);
    await project(termOf(2));
    expect(await totalOf(followed, position)).toBe(21);
    expect(await totalOf(followed, await count(7))).toBe(28);
  });

  test('a writer with nothing to write notices by itself', async () => {
    const { work, followed, putBack, project, reports } = await world();
    await putBack();
    await work.ended;
    expect(reports).toEqual(told);
    await project(termOf(2));
    await eventually('the lists are whole again', async () => {
      expect(await followed.readModel.get(totals, 'counter-a')).toEqual({ total: 15 });
      return true;
    });
  });
});

/** Gives what puts the database back to the state that it has now. */
async function stateOf(database: Db): Promise<() => Promise<void>> {
  const namesNow = async () => (await database.listCollections().toArray()).map(({ name }) => name);
  const kept = new Map<string, Document[]>();
  for (const name of await namesNow()) kept.set(name, await database.collection(name).find().toArray());
  return async () => {
    for (const name of await namesNow()) await database.collection(name).deleteMany({});
    for (const [name, documents] of kept)
      if (documents.length > 0) await database.collection(name).insertMany(documents);
  };
}
