// The order of items whose priorities change, and what it costs.
import { describe, expect, test } from 'vitest';
import { createPriorityQueue } from '../../../../src/kernel/runtime/priority-queue.ts';

interface Item {
  readonly name: number;
  at: number;
}

/** `comparisons`: how many were made so far. */
function queueOf(count: number) {
  const made = { comparisons: 0 };
  const queue = createPriorityQueue<Item>((one, other) => {
    made.comparisons += 1;
    return one.at < other.at || (one.at === other.at && one.name < other.name);
  });
  // A permutation that looks like none.
  const items = Array.from({ length: count }, (_, name) => ({ name, at: (name * 7_919) % 10_007 }));
  for (const item of items) queue.put(item);
  return { queue, items, made };
}

const sorted = (items: readonly Item[]) =>
  items.toSorted((one, other) => one.at - other.at || one.name - other.name).map(({ name }) => name);

function drained(queue: ReturnType<typeof queueOf>['queue']): readonly number[] {
  const names: number[] = [];
  for (let item = queue.first(); item !== undefined; item = queue.first()) {
    queue.remove(item);
    names.push(item.name);
  }
  return names;
}

describe('a priority queue', () => {
  test.each([0, 1, 2, 3, 10, 1_000])('gives %i items in the order of their priorities', (count) => {
    const { queue, items } = queueOf(count);
    expect(drained(queue)).toEqual(sorted(items));
  });

  test('has an item once, and where its priority belongs, earlier or later', () => {
    const { queue, items } = queueOf(500);
    for (const item of items) {
      if (item.name % 3 === 0) item.at = (item.at * 31) % 10_007;
      if (item.name % 3 < 2) queue.put(item);
    }
    expect(drained(queue)).toEqual(sorted(items));
  });

  test('loses no other item when one is removed, from wherever it is, and twice', () => {
    const { queue, items } = queueOf(500);
    const left = items.filter(({ name }) => name % 4 !== 0);
    for (const item of items) if (item.name % 4 === 0) queue.remove(item);
    for (const item of items) if (item.name % 4 === 0) queue.remove(item);
    expect(drained(queue)).toEqual(sorted(left));
  });

  test('compares as often as the logarithm of its items says', () => {
    const { queue, items, made } = queueOf(30_000);
    made.comparisons = 0;
    for (let round = 0; round < 1_000; round += 1) {
      const first = queue.first();
      if (first === undefined) throw new Error('empty');
      queue.remove(first);
      first.at += 5_000;
      queue.put(first);
    }
    expect(items).toHaveLength(30_000);
    // Two for each of fifteen levels, down and up again.
    expect(made.comparisons / 1_000).toBeLessThan(4 * 15);
  });
});
