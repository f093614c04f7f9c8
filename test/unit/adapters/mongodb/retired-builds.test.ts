// Builds that no registration names are removed after a while; those that are named again by then stay.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NO_BUILDS } from '../../../../src/adapters/mongodb/build-changes.ts';
import type { StoredState } from '../../../../src/adapters/mongodb/layout.ts';
import { createRetiredBuilds } from '../../../../src/adapters/mongodb/retired-builds.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { createMemoryServer } from '../../../support/mongo-in-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tales = (...ids: readonly number[]): StoredState => ({
  _id: 'state',
  term: 1,
  seq: 1,
  collections: {
    tales: {
      ...NO_BUILDS,
      builds: ids.map((id) => ({ version: 1, generation: id, id, shape: '', checkpoint: null })),
    },
  },
  status: null,
});

async function filled() {
  const server = createMemoryServer();
  const database = server.connect();
  for (const name of ['tales.v1.1', 'tales.v1.2', 'tales.v1.2.totals', 'others.v1.1', 'images.chunks'])
    await database.collection<{ _id: string }>(name).insertOne({ _id: 'a' });
  const reports: string[] = [];
  let registered = tales(1);
  const retired = createRetiredBuilds(
    database,
    { fresh: async () => registered },
    loggerTo((message) => reports.push(message)),
  );
  const now = () => server.collections().toSorted();
  return {
    retired,
    reports,
    now,
    register: (...ids: readonly number[]) => {
      registered = tales(...ids);
    },
  };
}

test('after a minute, with their totals, and only those of a registered collection', async () => {
  const { retired, now, reports } = await filled();
  await retired.removeLater();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(now()).toContain('tales.v1.2');
  await vi.advanceTimersByTimeAsync(2_000);
  await retired.close();
  expect(now()).toEqual(['images.chunks', 'others.v1.1', 'tales.v1.1']);
  expect(reports).toEqual([]);
});

test('not if the server was set back to a state that names them', async () => {
  const { retired, now, register } = await filled();
  await retired.removeLater();
  register(2);
  await vi.advanceTimersByTimeAsync(61_000);
  await retired.close();
  expect(now()).toContain('tales.v1.2');
});
