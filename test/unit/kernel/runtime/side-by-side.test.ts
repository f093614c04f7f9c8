// Work for many items is done for some at once, and its results keep the items' order.
import { expect, test } from 'vitest';
import { sideBySide } from '../../../../src/kernel/runtime/side-by-side.ts';

test('gives the results in the order of the items, with so many under way at most', async () => {
  let [underWay, most] = [0, 0];
  const results = await sideBySide([5, 1, 4, 2, 3], 2, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turn = 0; turn < item; turn += 1) await null;
    underWay -= 1;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});

test('rejects with the first failure, and begins nothing after it', async () => {
  const begun: number[] = [];
  const done = sideBySide([1, 2, 3], 2, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('no');
  });
  await expect(done).rejects.toThrow('no');
  expect(begun).toEqual([1, 2]);
});
