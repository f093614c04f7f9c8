/** How a token's distribution stands, as far as lists show it. */
import { type LastScan, scanSeen, splitSeen } from './last-scan.ts';
import { add, type ByAsset, NOTHING, sumsOfRun } from './run-sums.ts';

export type TokenDistribution = {
  readonly openRunId: string | null;
  readonly halted: boolean;
  /** Runs that were closed. */
  readonly closed: number;
  /** When the last run was due that was opened or skipped. */
  readonly lastDueAt: string | null;
  readonly lastClosedAt: string | null;
  readonly toHolders: ByAsset;
  /** Null before the first scan. */
  readonly scanned: LastScan | null;
};

export const NOT_DISTRIBUTED: TokenDistribution = {
  openRunId: null,
  halted: false,
  closed: 0,
  lastDueAt: null,
  lastClosedAt: null,
  toHolders: NOTHING,
  scanned: null,
};

export function withClosedRun(
  before: TokenDistribution,
  run: Parameters<typeof sumsOfRun>[0] & { readonly closedAt: string },
): TokenDistribution {
  return {
    ...before,
    openRunId: null,
    closed: before.closed + 1,
    lastClosedAt: run.closedAt,
    toHolders: add(before.toHolders, sumsOfRun(run).paidTo.holders),
  };
}

export function withScan(
  before: TokenDistribution,
  scan: Parameters<typeof scanSeen>[0],
  at: string,
): TokenDistribution {
  return { ...before, scanned: scanSeen(scan, at) };
}

export function withSplit(before: TokenDistribution, burned: string, at: string): TokenDistribution {
  return { ...before, scanned: before.scanned && splitSeen(before.scanned, burned, at) };
}
