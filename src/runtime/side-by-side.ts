/** Does the same work for many, some of them at once: calls to a server take their time each, and many at once its memory. */

/** The results are in the order of the items; `most` are under way at once. Rejects with the first failure. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += most) {
    results.push(...(await Promise.all(items.slice(from, from + most).map(work))));
  }
  return results;
}
