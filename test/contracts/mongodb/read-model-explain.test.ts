// Query plans reported by the server: first pages, pages after a document and sorted pages read one key per document; numbered
// pages skip index keys only.
import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { Collection, DocumentChange } from '../../../src/kernel/ports/read-model.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';
import { reasonToSkip } from '../../support/mongo-abilities.ts';

const DOCUMENTS = 1_500;
const LIMIT = 20;

const entries: Collection = {
  name: 'entries',
  version: 1,
  indexes: { weight: ({ weight }) => ({ values: ['', 'other'], place: String(weight) }) },
  lists: { all: ({ shown }) => (shown ? 'shown' : undefined) },
  views: { key: ({ key }) => ({ key: key ?? null }) },
};

describeOnMongo({ count: 1 }, (server, kind) => {
  test('a page of a list reads keys of its index: as many as it has documents, and a deep one those before it', async () => {
    const { readModel, commands, plansOf } = await opened(await server());
    const written = Array.from({ length: DOCUMENTS }, (_, index) => entry(index, index + 1, true));
    await readModel.commit([{ collection: entries, changes: written }]);
    const left = written.filter((_, index) => index % 20 === 7).map((_, n) => n * 20 + 7);
    const hidden = left.map((index, n) => entry(index, DOCUMENTS + 1 + n, false));
    await readModel.commit([{ collection: entries, changes: hidden }]);
    await readModel.goLive(entries);

    const total = DOCUMENTS - hidden.length;
    const few = reasonToSkip(kind, 'ordered-lists') === undefined ? LIMIT + 2 : total;
    const page = (offset: number, after?: string) =>
      readModel.page(entries, 'all', 'shown', { view: 'key', offset, limit: LIMIT, after });
    const first = await page(0);
    expect(first).toMatchObject({ total });
    requireIndexed(await plansOf(commands('l.all.p')), 1, few);
    const last = await page(total - LIMIT);
    expect(last.items).toHaveLength(LIMIT);
    expect(last).toMatchObject({ total });
    // The place behind which the page begins, and the page.
    requireIndexed(await plansOf(commands('l.all.p').slice(1)), 2, total);
    const all = await readModel.page(entries, 'all', 'shown', { view: 'key', offset: 0, limit: DOCUMENTS });
    const before = JSON.parse(all.items.at(-LIMIT - 1) ?? '').key;
    expect(await page(0, before)).toEqual(last);
    requireIndexed(await plansOf(commands('l.all.p').slice(-1)), 1, few);
  });
});

describeOnMongo({ count: 1, ability: 'ordered-lists' }, (server) => {
  test('the first and the last page of an order read as many keys as they have documents, by its index', async () => {
    const { readModel, commands, plansOf } = await opened(await server());
    const written = Array.from({ length: DOCUMENTS }, (_, index) => entry(index, index + 1, true));
    await readModel.commit([{ collection: entries, changes: written }]);
    await readModel.goLive(entries);
    for (const descending of [false, true]) {
      const whole = await readModel.find(entries, 'weight', '', { limit: DOCUMENTS, descending });
      const last = whole[DOCUMENTS - LIMIT - 1];
      if (last === undefined) throw new Error('there are as many as were written');
      const after = { place: String(last.weight), key: String(last.key) };
      const page = await readModel.find(entries, 'weight', '', { limit: LIMIT, descending, after });
      expect(page).toEqual(whole.slice(-LIMIT));
      await readModel.find(entries, 'weight', '', { limit: LIMIT, descending });
    }
    const short = commands('x.weight.v').filter(({ limit }) => Number(limit) <= LIMIT);
    requireIndexed(await plansOf(short), 6, LIMIT + 2);
  });
});

type Command = { readonly [field: string]: unknown };
type Plan = { readonly [part: string]: Command };

async function opened(server: { newUrl(): string }) {
  const client = new MongoClient(server.newUrl(), { monitorCommands: true });
  onTestFinished(() => client.close());
  const database = client.db();
  const readModel = await openReadModel({ database, logger: silentLogger });
  await readModel.startTerm(1);
  await readModel.prepare([entries]);
  const asked: Command[] = [];
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find') asked.push(command);
  });
  return {
    readModel,
    commands: (field: string) => asked.filter(({ filter }) => field in (filter as object)),
    plansOf: (commands: readonly Command[]): Promise<readonly Plan[]> =>
      Promise.all(
        commands.map(async ({ find, filter, projection, sort, skip, limit }) => {
          const explain = { find, filter, projection, sort, limit, ...(skip !== undefined && { skip }) };
          return (await database.command({ explain, verbosity: 'executionStats' })) as Plan;
        }),
      ),
  };
}

function requireIndexed(plans: readonly Plan[], count: number, keys: number): void {
  expect(plans).toHaveLength(count);
  for (const { executionStats, queryPlanner } of plans) {
    expect(executionStats?.totalKeysExamined).toBeLessThanOrEqual(keys);
    const winning = JSON.stringify(queryPlanner?.winningPlan);
    expect(winning).toContain('IXSCAN');
    // A stage SORT says nothing: SecantusDB names one also where the keys that it reads are in order.
    expect(winning).not.toContain('COLLSCAN');
  }
}

function entry(index: number, position: number, shown: boolean): DocumentChange {
  const key = `k${index}`;
  const weight = 1_000 + ((index * 7) % 500);
  return { key, position: String(position).padStart(20, '0'), document: { key, shown, weight } };
}
