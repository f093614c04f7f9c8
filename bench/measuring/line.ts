/** What a benchmark reports: one line of the table for each comparison that it makes. */
import type { RequestRates } from './requests.ts';

export interface Comparison {
  readonly what: string;
  /** The figures themselves, in words: they hold for this machine at this moment. */
  readonly figures: string;
  /** Absent where there is nothing to compare with. */
  readonly ratio?: number;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

/** What it needs is not on this machine. A sentence that says what that is, and how it is given. */
export interface LeftOut {
  readonly leftOut: string;
}

/** One benchmark. */
export type Line = () => Promise<readonly Comparison[] | LeftOut>;

export function isReached({ ratio, target }: Comparison): boolean | undefined {
  if (ratio === undefined || target === undefined) return undefined;
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
}

/** With three significant digits at least. */
export function written(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A ratio of requests a second, with the ratio by processor time beside it. */
export function requestComparison<Side extends string>(
  what: string,
  { rates, work }: RequestRates<Side>,
  [above, below]: readonly [Side, Side],
  target?: Comparison['target'],
): Comparison {
  const busy = work.ratio(above, below);
  return {
    what,
    ratio: rates.ratio(above, below),
    ...(target && { target }),
    figures:
      `${written(rates.medians[above])}/s, ${written(rates.medians[below])}/s` +
      (Number.isFinite(busy) ? `; by the server's processor time ${written(busy)}` : ''),
  };
}
