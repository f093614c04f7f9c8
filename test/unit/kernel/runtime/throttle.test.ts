import { expect, test } from 'vitest';
import { throttled } from '../../../../src/kernel/runtime/throttle.ts';

const SECOND = 1_000;

function looking() {
  const world = { now: 0, looks: 0, fails: false };
  const look = throttled(SECOND, { now: () => new Date(world.now) }, async () => {
    world.looks += 1;
    if (world.fails) throw new Error('it fails');
    return world.looks;
  });
  return { world, look };
}

test('all who ask at once, or within the time, share one look', async () => {
  const { world, look } = looking();
  expect(await Promise.all([look(), look(), look()])).toEqual([1, 1, 1]);
  world.now = SECOND - 1;
  expect(await look()).toBe(1);
  world.now = SECOND;
  expect(await look()).toBe(2);
});

test('a failure is shared by those who wait for it, and not kept', async () => {
  const { world, look } = looking();
  world.fails = true;
  const answers = await Promise.allSettled([look(), look()]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(world.looks).toBe(1);
  world.fails = false;
  expect(await look()).toBe(2);
});
