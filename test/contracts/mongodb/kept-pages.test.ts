// A kept page costs the server one small look, however many ask at once, and shows every commit of any process at once.
import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { Collection, Document } from '../../../src/kernel/ports/read-model.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';

const notes: Collection<Document> = {
  name: 'notes',
  version: 1,
  lists: { all: ({ hidden }) => (hidden === true ? undefined : 'every') },
  views: { text: ({ text = null }) => ({ text }) },
};

const at = (number: number) => String(number).padStart(20, '0');
const note = (key: string, number: number) => ({
  key,
  position: at(number),
  document: { text: `${key} ${number}` },
});

describeOnMongo({ count: 1 }, (server) => {
  test('in a process that only reads', async () => {
    const url = (await server()).newUrl();
    /** The collections that were read, by what the driver sent. */
    const asked: string[] = [];
    async function connected(): Promise<Db> {
      const client = new MongoClient(url, { monitorCommands: true });
      onTestFinished(() => client.close());
      await client.connect();
      client.on('commandStarted', ({ commandName, command }) => {
        if (commandName === 'find') asked.push(String(command.find));
      });
      return client.db();
    }
    const logger = silentLogger;
    const writer = await openReadModel({ database: await connected(), logger });
    await writer.beginTerm(1);
    await writer.prepare([notes]);
    await writer.commit([{ collection: notes, changes: [note('a', 1), note('b', 2)], checkpoint: at(2) }]);
    await writer.goLive(notes);
    const reader = await openReadModel({ database: await connected(), logger });
    await reader.prepare([notes]);
    const page = async () =>
      (await reader.page(notes, 'all', 'every', { view: 'text', offset: 0, limit: 10 })).items;

    // The first page is read before anything is known.
    for (let time = 0; time < 3; time += 1)
      expect(await page()).toEqual(['{"text":"b 2"}', '{"text":"a 1"}']);
    asked.length = 0;
    await Promise.all(Array.from({ length: 50 }, page));
    expect(asked.filter((name) => name !== 'read_models')).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(4);

    for (let number = 3; number < 20; number += 1) {
      await writer.commit([{ collection: notes, changes: [note('a', number)], checkpoint: at(number) }]);
      expect(await page()).toEqual(['{"text":"b 2"}', `{"text":"a ${number}"}`]);
    }
    await writer.close();
    await reader.close();
  });
});
