// Turns for costly work: one at a time, in turns between sources, and none for a caller who left.
import { expect, test } from 'vitest';
import { createFairQueue } from '../../../src/server/fair-queue.ts';

const STAYS = new AbortController().signal;

function recording() {
  const turns = createFairQueue();
  const order: string[] = [];
  let underWay = 0;
  let most = 0;
  const run = (source: string, name: string, signal = STAYS) =>
    turns.run(
      source,
      async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        order.push(name);
        await null;
        underWay -= 1;
        return name;
      },
      signal,
    );
  return { turns, order, run, most: () => most };
}

test('a source with much work delays each other source by one piece of it', async () => {
  const { order, run, most } = recording();
  const first = Array.from({ length: 5 }, (_, index) => run('a', `a${index}`));
  const others = [run('b', 'b0'), run('b', 'b1'), run('c', 'c0')];
  expect(await Promise.all([...first, ...others])).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1', 'c0']);
  expect(order).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3', 'a4']);
  expect(most()).toBe(1);
});

test('the work of a caller who leaves before its turn is never begun, and no longer waits', async () => {
  const { turns, order, run } = recording();
  const leaving = new AbortController();
  const gone = new AbortController();
  gone.abort(new Error('was gone'));
  const [first, second, third] = [run('a', 'a0'), run('a', 'a1', leaving.signal), run('b', 'b0')];
  expect(turns.waiting).toBe(2);
  leaving.abort(new Error('has left'));
  expect(turns.waiting).toBe(1);
  await expect(run('c', 'c0', gone.signal)).rejects.toThrow('was gone');
  await expect(second).rejects.toThrow('has left');
  expect(await Promise.all([first, third])).toEqual(['a0', 'b0']);
  expect(order).toEqual(['a0', 'b0']);
  expect(turns.waiting).toBe(0);
});

test('work that fails ends its turn, and later work is run', async () => {
  const { turns, run } = recording();
  const failing = turns.run('a', () => Promise.reject(new Error('it fails')), STAYS);
  await expect(failing).rejects.toThrow('it fails');
  expect(await run('a', 'next')).toBe('next');
});
