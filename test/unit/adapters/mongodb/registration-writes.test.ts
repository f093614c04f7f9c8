// Registrations that are changed at the same time go in one request, and none is changed that is not as it was read.
import { expect, test } from 'vitest';
import { type Registered, registryOf } from '../../../../src/adapters/mongodb/layout.ts';
import { createRegistrationWrites } from '../../../../src/adapters/mongodb/registration-writes.ts';
import { WriteConflict } from '../../../../src/adapters/mongodb/write-conflict.ts';
import { createMemoryServer } from '../../../support/mongo-in-memory.ts';

async function given(...names: readonly string[]) {
  const server = createMemoryServer();
  let requests = 0;
  const registered = names.map(
    (_id): Registered => ({
      _id,
      term: 1,
      writer: 'w',
      seq: 1,
      fills: 0,
      generations: [],
      live: null,
      pending: null,
    }),
  );
  for (const each of registered) await registryOf(server.connect()).insertOne(each);
  const writes = createRegistrationWrites(
    server.connect(async (whole) => {
      requests += 1;
      return whole();
    }),
  );
  return {
    registered,
    writes,
    requests: () => requests,
    numbers: () => server.documents('read_models').map(({ seq }) => seq),
  };
}

test('those of one moment go in one request, and later ones in the next', async () => {
  const { registered, writes, requests, numbers } = await given('a', 'b', 'c');
  await Promise.all(registered.map((each) => writes.replace(each, { seq: 2 })));
  expect(requests()).toBe(1);
  expect(numbers()).toEqual([2, 2, 2]);
  await Promise.all(registered.map((each) => writes.replace({ ...each, seq: 2 }, { seq: 3 })));
  expect(requests()).toBe(2);
  expect(numbers()).toEqual([3, 3, 3]);
});

test('one that another writer has changed is left as it is, and all of its request are told', async () => {
  const { registered, writes, numbers } = await given('a', 'b');
  const [a, b] = registered;
  const done = await Promise.allSettled([
    writes.replace({ ...(a as Registered), writer: 'another' }, { seq: 2 }),
    writes.replace(b as Registered, { seq: 2 }),
  ]);
  expect(done).toEqual([
    { status: 'rejected', reason: expect.any(WriteConflict) },
    { status: 'rejected', reason: expect.any(WriteConflict) },
  ]);
  expect(numbers()).toEqual([1, 2]);
});
