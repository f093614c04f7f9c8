/**
 * Projection with one document per token and day (UTC), and one per day for all tokens together, with the sums of the runs
 * closed on that day. Charts and the sums of the last hours and days read a few of these documents.
 */
import { defineProjection } from './levy-projection.ts';
import { add, type ByAsset, type ClosedRun, NO_RUNS, NOTHING, type RunSums, sumsOfRun } from './run-sums.ts';
import { numberSortKey } from './tokens.ts';

/** Scope of all tokens together. */
export const ALL_TOKENS = 'all';

export type DistributionDayDocument = RunSums & {
  /** Id of a token, or `ALL_TOKENS`. */
  readonly scope: string;
  /** ISO 8601 date, such as `2026-05-04`. */
  readonly day: string;
  /** Hours with runs, in ascending order. */
  readonly hours: readonly HourOfDay[];
};

type HourOfDay = { readonly hour: number; readonly runs: number; readonly toHolders: ByAsset };

/** Documents of one scope are sorted by time. */
function daysOf(name: string, scopeOf: (run: ClosedRun) => string) {
  return defineProjection<DistributionDayDocument>({
    name,
    version: 1,
    indexes: {
      scope: ({ scope }) => [scope],
      /** Ranks by the lamports paid to holders on the day. */
      paidOn: ({ day, paidTo }) => ({ values: [day], place: numberSortKey(paidTo.holders.sol) }),
    },
    on: {
      RunClosed: {
        key: ({ data }) => `${scopeOf(data)}/${dayOf(data)}`,
        apply: (document, { data }) => withRun(document ?? emptyDay(scopeOf(data), dayOf(data)), data),
      },
    },
  });
}

export const distributionDays = daysOf('distribution_days', ({ tokenId }) => tokenId);

/** Days of all tokens together. Only lamports are meaningful, because base units of different tokens are added. */
export const allDistributionDays = daysOf('all_distribution_days', () => ALL_TOKENS);

const dayOf = ({ closedAt }: Pick<ClosedRun, 'closedAt'>): string => closedAt.slice(0, 10);

function emptyDay(scope: string, day: string): DistributionDayDocument {
  return { ...NO_RUNS, scope, day, hours: [] };
}

function withRun(day: DistributionDayDocument, run: ClosedRun): DistributionDayDocument {
  const sums = sumsOfRun(run);
  return {
    ...day,
    ...add<RunSums>(day, sums),
    hours: withHour(day.hours, Number(run.closedAt.slice(11, 13)), sums.paidTo.holders),
  };
}

function withHour(hours: readonly HourOfDay[], hour: number, toHolders: ByAsset): readonly HourOfDay[] {
  const before = hours.find((each) => each.hour === hour);
  const added = {
    hour,
    runs: (before?.runs ?? 0) + 1,
    toHolders: add(before?.toHolders ?? NOTHING, toHolders),
  };
  return [...hours.filter((each) => each.hour !== hour), added].toSorted(
    (one, other) => one.hour - other.hour,
  );
}
