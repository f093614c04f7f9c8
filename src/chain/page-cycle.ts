/** Detects cycles in the keys of pages, without storing the keys (Brent's algorithm). Pure. */

export interface PageCycle {
  readonly pages: number;
  /** Key of an earlier page, replaced at each power of two, so that a cycle of any length returns to it. */
  readonly mark: string | undefined;
}

export const NO_KEYS: PageCycle = { pages: 0, mark: undefined };

/** Adds the key of the next page; undefined if the key leads back to an earlier page. */
export function afterKey({ pages, mark }: PageCycle, key: string): PageCycle | undefined {
  if (key === mark) return undefined;
  const next = pages + 1;
  const isPowerOfTwo = (next & (next - 1)) === 0;
  return { pages: next, mark: isPowerOfTwo ? key : mark };
}
