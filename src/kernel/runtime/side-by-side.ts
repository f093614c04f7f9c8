/** Does the same work for many, some of them at once: calls to a server take their time each, and many at once its memory. */

/**
 * The results are in the order of the items; up to `most` are under way at once. Rejects with the first failure, after
 * which nothing is begun.
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  let hasFailed = false;
  async function workOn(): Promise<void> {
    for (const [index, item] of waiting) {
      try {
        results[index] = await work(item);
        // A failure of the same moment is known only then.
        await null;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
      if (hasFailed) return;
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, workOn));
  return results;
}
