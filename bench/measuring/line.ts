/** Result of a benchmark: one line of the table for each comparison. */
import type { RequestRates } from './requests.ts';

export interface Comparison {
  readonly what: string;
  /** The figures in words. They are valid only for this machine at this time. */
  readonly figures: string;
  /** Absent without a comparison. */
  readonly ratio?: number;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

/** A requirement is missing on this machine. Sentence that names it, and how to provide it. */
export interface LeftOut {
  readonly leftOut: string;
}

/** One benchmark. */
export type Line = () => Promise<readonly Comparison[] | LeftOut>;

export function isReached({ ratio, target }: Comparison): boolean | undefined {
  if (ratio === undefined || target === undefined) return undefined;
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
}

/** Formats with at least three significant digits. */
export function written(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Formats a ratio of requests per second, followed by the ratio by processor time. */
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
