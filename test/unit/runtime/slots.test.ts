// Slots: so many at a time, each in its turn, whatever becomes of the work.
import { expect, test } from 'vitest';
import { createSlots } from '../../../src/runtime/slots.ts';

function task() {
  let finish = () => {};
  let fail = () => {};
  const done = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = () => reject(new Error('failed'));
  });
  return { done, finish: () => finish(), fail: () => fail() };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

test('only so many run at a time, and the others begin in the order in which they came', async () => {
  const takeSlot = createSlots(2);
  const tasks = Array.from({ length: 5 }, task);
  const begun: number[] = [];
  const results = tasks.map(({ done }, index) =>
    takeSlot(async () => {
      begun.push(index);
      await done;
      return index;
    }),
  );
  await turns();
  expect(begun).toEqual([0, 1]);
  tasks[1]?.finish();
  await turns();
  expect(begun).toEqual([0, 1, 2]);
  for (const { finish } of tasks) finish();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('what fails hands its slot on too, and whoever waited comes before whoever comes then', async () => {
  const takeSlot = createSlots(1);
  const [first, second] = [task(), task()];
  const begun: string[] = [];
  const run = (name: string, work: Promise<void>) =>
    takeSlot(async () => {
      begun.push(name);
      await work;
    });
  const failing = run('first', first.done);
  const waiting = run('second', second.done);
  first.fail();
  await expect(failing).rejects.toThrow('failed');
  const late = run('third', Promise.resolve());
  await turns();
  expect(begun).toEqual(['first', 'second']);
  second.finish();
  await Promise.all([waiting, late]);
  expect(begun).toEqual(['first', 'second', 'third']);
});
