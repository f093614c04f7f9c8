/**
 * Projection with a single document: the running sums of all tokens' distributions, so that reading costs the same for any
 * number of tokens. Amounts include only closed runs, but payments count as soon as they are final.
 */
import { sumAmounts } from '../streams/sum-amounts.ts';
import { defineProjection } from './levy-projection.ts';
import { type ClosedTotals, NO_CLOSED_RUNS, withClosedRun } from './recent-payments.ts';
import { add, type ByAsset, NOTHING } from './run-sums.ts';

/** Key of the only document. */
export const ALL_DISTRIBUTIONS = 'all';

/** Decimal digits of any length. Base units of different tokens are added, so they indicate activity, not value. */
export type DistributionTotalsDocument = ClosedTotals & {
  readonly runsOpened: number;
  /** Skips of due runs by reason; consecutive skips for the same reason count once. */
  readonly skips: { readonly [reason: string]: number };
  readonly payments: number;
  /** Sum of the withheld tax found by scans, in base units. */
  readonly withheld: string;
  readonly owed: ByAsset;
};

export const NO_DISTRIBUTIONS: DistributionTotalsDocument = {
  ...NO_CLOSED_RUNS,
  runsOpened: 0,
  skips: {},
  payments: 0,
  withheld: '0',
  owed: NOTHING,
};

const theTotals = (): string => ALL_DISTRIBUTIONS;

export const distributionTotals = defineProjection<DistributionTotalsDocument>({
  name: 'distribution_totals',
  version: 2,
  on: {
    RunOpened: {
      key: theTotals,
      apply: (totals = NO_DISTRIBUTIONS) => ({ ...totals, runsOpened: totals.runsOpened + 1 }),
    },
    RunSkipped: {
      key: theTotals,
      apply: (totals = NO_DISTRIBUTIONS, { data: { reason } }) => ({
        ...totals,
        skips: { ...totals.skips, [reason]: (totals.skips[reason] ?? 0) + 1 },
      }),
    },
    HoldersScanned: {
      key: theTotals,
      apply: (totals = NO_DISTRIBUTIONS, { data }) => ({
        ...totals,
        withheld: sumAmounts(totals.withheld, data.withheld),
      }),
    },
    BatchesSettled: {
      key: theTotals,
      apply(totals = NO_DISTRIBUTIONS, { data: { batches } }) {
        const paid = batches.reduce((count, { from, to, without }) => count + to - from - without.length, 0);
        return { ...totals, payments: totals.payments + paid };
      },
    },
    RunClosed: {
      key: theTotals,
      apply(totals = NO_DISTRIBUTIONS, { data }) {
        const { asset, amounts, paidDebts } = data;
        const owed = sumAmounts(amounts.owedAfter, `-${amounts.owed}`);
        const other = asset === 'sol' ? 'token' : 'sol';
        return {
          ...totals,
          ...withClosedRun(totals, data),
          owed: add(totals.owed, { ...NOTHING, [asset]: owed, [other]: sumAmounts(`-${paidDebts}`) }),
        };
      },
    },
  },
});
