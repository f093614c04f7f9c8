// The cached state is never older than the last read, and the state of a server that was set back replaces it.
import { expect, test } from 'vitest';
import { type StoredState, storedStateOf } from '../../../../src/adapters/mongodb/layout.ts';
import { createRegistry } from '../../../../src/adapters/mongodb/registry.ts';
import { createMemoryServer } from '../../../support/mongo-in-memory.ts';

const state = (seq: number): StoredState => ({ _id: 'state', term: 1, seq, collections: {}, status: null });

async function stored(...states: readonly StoredState[]) {
  const database = createMemoryServer().connect();
  for (const each of states) await storedStateOf(database).insertOne(each);
  return createRegistry(database);
}

test('an answer with a lower number replaces the cache if it was requested later', async () => {
  const registry = await stored(state(3));
  registry.wrote(state(5));
  expect(await registry.fresh()).toMatchObject({ seq: 3 });
  expect(await registry.recent()).toMatchObject({ seq: 3 });
  expect(registry.cached()).toMatchObject({ seq: 3 });
});

test('an answer that was requested before a write does not hide the write', async () => {
  const registry = await stored(state(3));
  const requested = registry.recent();
  registry.wrote(state(4));
  expect(await requested).toMatchObject({ seq: 4 });
});

test('a state that is gone is removed from the cache', async () => {
  const registry = await stored();
  registry.wrote(state(5));
  expect(await registry.fresh()).toBeUndefined();
  expect(registry.cached()).toBeUndefined();
});
