/** Lets only so many pieces of work run at a time, the others in the order in which they came. */

export type Slots = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createSlots(count: number): Slots {
  let free = count;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      // The slot is handed on: whoever comes now stands behind those who wait.
      if (next === undefined) free += 1;
      else next();
    }
  };
}
