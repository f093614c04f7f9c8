/** Messages to and from the process of `feed.ts`. */

export interface Allowance {
  /** Total number of events that may have been appended. */
  readonly appended: number;
}

export interface Appended {
  /** In the order of the log. */
  readonly positions: readonly string[];
}
