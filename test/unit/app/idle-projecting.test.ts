// A quiet log costs the processes that share read models little, and what moves is shown without waiting for the next report.
import { expect, onTestFinished, test, vi } from 'vitest';
import { withMethods, wrapCalls } from '../../../src/kernel/runtime/wrap-calls.ts';
import { READ_MODEL_REBUILDS_STREAM } from '../../../src/streams/read-model-rebuilds.ts';
import { termOf, totals, worldOn } from '../../contracts/shared-projector.contract.ts';
import { eventually } from '../../support/eventually.ts';
import { openSharedReadModels } from '../../support/shared-read-model.ts';

test('requests for a rebuild are read when one is heard of, and else once a minute', async () => {
  const world = await worldOn(await openSharedReadModels());
  await world.count(1);
  const reads: string[] = [];
  const counted = withMethods(world.store, {
    read(stream, from) {
      reads.push(stream);
      return world.store.read(stream, from);
    },
  });
  const followed = await world.follow();
  onFakeTimers();
  await world.project(termOf(1), totals, counted);
  await vi.advanceTimersByTimeAsync(1_000);
  const before = reads.length;
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(reads.length - before).toBeLessThanOrEqual(11);
  vi.useRealTimers();
  reads.splice(0);
  expect(await followed.rebuild(totals, 'operator:alice')).toBe(true);
  await eventually('the rebuild begins', async () =>
    world.reports.some((each) => each.startsWith('projection rebuild started')),
  );
  expect(reads).toContain(READ_MODEL_REBUILDS_STREAM);
});

test('the writer reports once a second, and another process reads every other second', async () => {
  const { world, calls } = await quietWorld();
  calls.splice(0);
  await vi.advanceTimersByTimeAsync(60_000);
  const count = (method: string) => calls.filter((each) => each === method).length;
  expect([...new Set(calls)].toSorted()).toEqual(['progress', 'writeStatus']);
  expect(count('writeStatus')).toBeLessThanOrEqual(60);
  expect(count('progress')).toBeLessThanOrEqual(30);
  expect(world.reports).toEqual([]);
});

test('an event that no projection folds is shown before the next report is due', async () => {
  const { world, followed } = await quietWorld();
  for (let times = 0; times < 3; times += 1) {
    await world.store.append(`elsewhere-${times}`, 'none', [
      { id: crypto.randomUUID(), type: 'Other', data: {}, metadata: {} },
    ]);
    const shown = followed.waitFor(await world.store.head(), 300);
    await vi.advanceTimersByTimeAsync(301);
    expect(await shown).toBe(true);
  }
});

/** A writer and another process that have caught up. Timers move by hand. */
async function quietWorld() {
  const models = await openSharedReadModels();
  const calls: string[] = [];
  const world = await worldOn({
    isAway: false,
    refused: 0,
    open: async () =>
      wrapCalls(await models.open(), (method, call) => {
        calls.push(method);
        return call();
      }),
  });
  await world.count(1);
  onFakeTimers();
  const followed = await world.follow();
  await world.project(termOf(1));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(followed.status()).toMatchObject([{ state: 'live', isCurrent: true }]);
  return { world, followed, calls };
}

function onFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}
