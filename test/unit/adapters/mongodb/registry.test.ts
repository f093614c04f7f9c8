// What is known of a registration is never older than what was asked for last, and a server that was set back is believed.
import { expect, test } from 'vitest';
import { type Registered, registryOf } from '../../../../src/adapters/mongodb/layout.ts';
import { createRegistry } from '../../../../src/adapters/mongodb/registry.ts';
import { createMemoryServer } from '../../../support/mongo-in-memory.ts';

const registered = (seq: number): Registered => ({
  _id: 'tales',
  term: 1,
  writer: 'one',
  seq,
  fills: 1,
  generations: [],
  live: null,
  pending: null,
});

test('an answer with a lower number counts if it was asked for later', async () => {
  const server = createMemoryServer();
  const database = server.connect();
  await registryOf(database).insertOne(registered(3));
  const registry = createRegistry(database);
  registry.note(registered(5));
  expect(await registry.fresh('tales')).toMatchObject({ seq: 3 });
  expect(await registry.recent('tales')).toMatchObject({ seq: 3 });
});

test('an answer that was asked for before a write does not hide the write', async () => {
  const server = createMemoryServer();
  const database = server.connect();
  await registryOf(database).insertOne(registered(3));
  const registry = createRegistry(database);
  const asked = registry.recent('tales');
  registry.note(registered(4));
  expect(await asked).toMatchObject({ seq: 4 });
});

test('a registration that is gone is forgotten', async () => {
  const registry = createRegistry(createMemoryServer().connect());
  registry.note(registered(5));
  expect(await registry.fresh('tales')).toBeUndefined();
  expect(await registry.recent('tales')).toBeUndefined();
});
