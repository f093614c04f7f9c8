/** What the process of `feed.ts` is told, and tells. */

export interface Allowance {
  /** So many events may have been appended in all. */
  readonly appended: number;
}

export interface Appended {
  /** In the order of the log. */
  readonly positions: readonly string[];
}
