// Documents that nothing refers to are removed after a while; those that are referred to again by then stay.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRetiredFills } from '../../../../src/adapters/mongodb/retired-fills.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { createMemoryServer } from '../../../support/mongo-in-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tales = (...fills: readonly number[]) => ({
  _id: 'tales',
  term: 1,
  writer: 'one',
  seq: 1,
  fills: 3,
  generations: fills.map((fill) => ({
    version: 1,
    generation: fill,
    fill,
    shape: '',
    checkpoint: null,
    next: 0,
  })),
  live: null,
});

async function filled() {
  const server = createMemoryServer();
  const database = server.connect();
  for (const name of ['tales_v1-1', 'tales_v1-2', 'tales_v1-2.lists', 'others_v1-1', 'elsewhere'])
    await database.collection<{ _id: string }>(name).insertOne({ _id: 'a' });
  const reports: string[] = [];
  let known = [tales(1)];
  const retired = createRetiredFills({
    database,
    registered: async () => known,
    logger: loggerTo((message) => reports.push(message)),
  });
  const now = () => server.collections().toSorted();
  return { retired, reports, now, register: (...fills: readonly number[]) => (known = [tales(...fills)]) };
}

test('after a minute, with their lists', async () => {
  const { retired, now, reports } = await filled();
  retired.removeLater(['tales_v1-2']);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(now()).toContain('tales_v1-2');
  await vi.advanceTimersByTimeAsync(2_000);
  await retired.close();
  expect(now()).toEqual(['elsewhere', 'others_v1-1', 'tales_v1-1']);
  expect(reports).toEqual([]);
});

test('not if the server was set back meanwhile to where they are in use', async () => {
  const { retired, now, register } = await filled();
  retired.removeLater(['tales_v1-2']);
  register(2);
  await vi.advanceTimersByTimeAsync(61_000);
  await retired.close();
  expect(now()).toContain('tales_v1-2');
});

test('of what an ended process left, only what belongs to a registered collection', async () => {
  const { retired, now } = await filled();
  await retired.removeUnknownLater();
  await vi.advanceTimersByTimeAsync(61_000);
  await retired.close();
  expect(now()).toEqual(['elsewhere', 'others_v1-1', 'tales_v1-1']);
});
