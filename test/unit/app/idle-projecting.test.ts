// A quiet log costs the process that writes the read models no reads: it hears of requests for a rebuild.
import { expect, onTestFinished, test, vi } from 'vitest';
import { withMethods } from '../../../src/kernel/runtime/around-calls.ts';
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
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
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
