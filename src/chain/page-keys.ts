/** Detects that the keys of pages lead in a circle, without storing them (Brent's algorithm). Pure. */

export interface PageKeys {
  readonly pages: number;
  /** The key of an earlier page, replaced at each power of two: a circle of any length comes back to it. */
  readonly mark: string | undefined;
}

export const NO_KEYS: PageKeys = { pages: 0, mark: undefined };

/** The keys with that of the next page; undefined where it leads back to an earlier page. */
export function afterKey({ pages, mark }: PageKeys, key: string): PageKeys | undefined {
  if (key === mark) return undefined;
  const next = pages + 1;
  const isPowerOfTwo = (next & (next - 1)) === 0;
  return { pages: next, mark: isPowerOfTwo ? key : mark };
}
