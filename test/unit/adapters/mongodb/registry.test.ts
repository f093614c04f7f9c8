// The cache of registrations is never older than the last read, and the state of a server that was set back replaces it.
import { expect, test } from 'vitest';
import { firstRegistration } from '../../../../src/adapters/mongodb/build-changes.ts';
import { registrationsOf } from '../../../../src/adapters/mongodb/layout.ts';
import { createRegistry } from '../../../../src/adapters/mongodb/registry.ts';
import { createMemoryServer } from '../../../support/mongo-in-memory.ts';

const registration = (seq: number) => ({ ...firstRegistration('tales', 1), seq });

async function stored(...registrations: readonly ReturnType<typeof registration>[]) {
  const database = createMemoryServer().connect();
  for (const each of registrations) await registrationsOf(database).insertOne(each);
  return createRegistry(database);
}

test('an answer with a lower number replaces the cache if it was requested later', async () => {
  const registry = await stored(registration(3));
  registry.wrote([registration(5)]);
  expect((await registry.fresh()).get('tales')).toMatchObject({ seq: 3 });
  expect((await registry.recent()).get('tales')).toMatchObject({ seq: 3 });
  expect(registry.known('tales')).toMatchObject({ seq: 3 });
});

test('an answer that was requested before a write does not hide the write', async () => {
  const registry = await stored(registration(3));
  const requested = registry.recent();
  registry.wrote([registration(4)]);
  expect((await requested).get('tales')).toMatchObject({ seq: 4 });
});

test('a registration that is gone is removed from the cache', async () => {
  const registry = await stored();
  registry.wrote([registration(5)]);
  expect((await registry.fresh()).get('tales')).toBeUndefined();
  expect(registry.known('tales')).toBeUndefined();
});
