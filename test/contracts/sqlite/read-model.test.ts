// The SQLite read model keeps the port's contract, and takes part in the append's transaction.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../src/adapters/sqlite/event-store.ts';
import { createSqliteReadModel } from '../../../src/adapters/sqlite/read-model.ts';
import type { EventToAppend } from '../../../src/ports/event-store.ts';
import type { Collection } from '../../../src/ports/read-model.ts';
import { readModelContract } from '../read-model.contract.ts';

readModelContract('the SQLite read model', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  const open = () => {
    const database = openSqliteDatabase(join(folder, 'documents.db'));
    return { database, readModel: createSqliteReadModel(database) };
  };
  let current = open();
  const close = async () => {
    await current.readModel.close();
    await current.database.close();
  };
  return {
    readModel: current.readModel,
    async reopen() {
      await close();
      current = open();
      return current.readModel;
    },
    async dispose() {
      await close();
      await rm(folder, { recursive: true });
    },
  };
});

test('documents written within an append are there as soon as it is acknowledged, and fail apart from it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  const database = openSqliteDatabase(join(folder, 'events.db'));
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  const counts: Collection = { name: 'counts', version: 1, lists: { all: () => 'all' } };
  const readModel = createSqliteReadModel(database);
  await readModel.prepare([counts]);
  await readModel.goLive(counts);
  // Asked for before it is there, too: what was found then must not be found for ever.
  expect(await readModel.get(counts, 'thing-1')).toBeUndefined();
  const store = createSqliteEventStore(database, {
    inline: {
      apply(events) {
        for (const { stream, position, data } of events) {
          const before = readModel.loadNow(counts, [stream]).get(stream)?.document?.count;
          const document = { count: Number(before ?? 0) + 1 };
          readModel.commitNow([
            { collection: counts, changes: [{ key: stream, position, document }], checkpoint: position },
          ]);
          if (data.bad) throw new Error('bad');
        }
      },
    },
  });

  await store.append('thing-1', 'none', [event(), event(), event()]);
  expect(await readModel.get(counts, 'thing-1')).toEqual({ count: 3 });
  const checkpoint = await store.head();
  expect(await readModel.checkpoint(counts)).toBe(checkpoint);
  await store.append('thing-1', 2, [event(), event({ bad: true })]);
  expect(await readModel.get(counts, 'thing-1')).toEqual({ count: 3 });
  expect(await readModel.checkpoint(counts)).toBe(checkpoint);
});

function event(data: EventToAppend['data'] = {}): EventToAppend {
  return { id: randomUUID(), type: 'thing-happened', data, metadata: {} };
}
