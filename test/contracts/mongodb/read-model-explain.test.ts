// A page of a list costs the server the same wherever it is, also where documents have left: by what it says of its plan.
import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { Collection, DocumentChange } from '../../../src/kernel/ports/read-model.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';

const DOCUMENTS = 1_500;
const LIMIT = 20;

const entries: Collection = {
  name: 'entries',
  version: 1,
  lists: { all: ({ shown }) => (shown ? 'shown' : undefined) },
  views: { key: ({ key }) => ({ key: key ?? null }) },
};

describeOnMongo({ count: 1, ability: 'explain' }, (server) => {
  test('the first and the last page read as many keys as they have documents, by an index', async () => {
    const client = new MongoClient((await server()).newUrl(), { monitorCommands: true });
    onTestFinished(() => client.close());
    const database = client.db();
    const readModel = await openReadModel({ database, logger: silentLogger });
    await readModel.beginTerm(1);
    await readModel.prepare([entries]);
    const written = Array.from({ length: DOCUMENTS }, (_, index) => entry(index, index + 1, true));
    await readModel.commit([{ collection: entries, changes: written }]);
    const left = written.filter((_, index) => index % 20 === 7).map((_, n) => n * 20 + 7);
    const hidden = left.map((index, n) => entry(index, DOCUMENTS + 1 + n, false));
    await readModel.commit([{ collection: entries, changes: hidden }]);
    await readModel.goLive(entries);

    const asked: { readonly [field: string]: unknown }[] = [];
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find' && 'l.all.p' in command.filter) asked.push(command);
    });
    const total = DOCUMENTS - hidden.length;
    for (const offset of [0, total - LIMIT]) {
      const page = await readModel.page(entries, 'all', 'shown', { view: 'key', offset, limit: LIMIT });
      expect(page).toMatchObject({ total });
      expect(page.items).toHaveLength(LIMIT);
    }
    expect(asked).toHaveLength(2);
    for (const { find, filter, projection, sort, limit } of asked) {
      const plan = await database.command({
        explain: { find, filter, projection, sort, limit },
        verbosity: 'executionStats',
      });
      expect(plan.executionStats.totalKeysExamined).toBeLessThanOrEqual(2 * LIMIT + 70);
      expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('IXSCAN');
      expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toContain('COLLSCAN');
    }
  });
});

function entry(index: number, position: number, shown: boolean): DocumentChange {
  const key = `k${index}`;
  return { key, position: String(position).padStart(20, '0'), document: { key, shown } };
}
