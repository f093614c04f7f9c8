/** Priority queue whose items may change their priority: a binary heap that knows the index of each item. */
export interface PriorityQueue<Item> {
  first(): Item | undefined;
  /** Adds the item, or moves it after its priority has changed. */
  put(item: Item): void;
  remove(item: Item): void;
}

/** The comparisons of a call grow with the logarithm of the items. */
export function createPriorityQueue<Item>(
  isBefore: (one: Item, other: Item) => boolean,
): PriorityQueue<Item> {
  const heap: Item[] = [];
  const indexes = new Map<Item, number>();

  function place(item: Item, index: number): void {
    heap[index] = item;
    indexes.set(item, index);
  }

  /** Puts the item where it belongs, from an index at which nothing else is stored. */
  function settle(item: Item, from: number): void {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(item, parent)) break;
      place(parent, index);
      index = above;
    }
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (child === undefined || !isBefore(child, item)) break;
      place(child, index);
      index = 2 * index + (isRight ? 2 : 1);
    }
    place(item, index);
  }

  return {
    first: () => heap[0],
    put: (item) => settle(item, indexes.get(item) ?? heap.length),
    remove(item) {
      const index = indexes.get(item);
      if (index === undefined) return;
      indexes.delete(item);
      const last = heap.pop();
      if (last !== undefined && last !== item) settle(last, index);
    },
  };
}
