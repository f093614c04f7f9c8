/** Projection with one document per token and day (UTC), with the sums of the runs closed on that day, for charts. */
import { defineProjection } from './levy-projection.ts';
import { add, type ClosedRun, NO_RUNS, type RunSums, sumsOfRun } from './run-sums.ts';
import { numberSortKey } from './tokens.ts';

export type DistributionDayDocument = RunSums & {
  readonly tokenId: string;
  /** ISO 8601 date, such as `2026-05-04`. */
  readonly day: string;
};

const dayOf = ({ closedAt }: Pick<ClosedRun, 'closedAt'>): string => closedAt.slice(0, 10);

/** Documents of one token are sorted by time. */
export const distributionDays = defineProjection<DistributionDayDocument>({
  name: 'distribution_days',
  version: 2,
  indexes: {
    token: ({ tokenId }) => [tokenId],
    /** Ranks by the lamports paid to holders on the day. */
    paidOn: ({ day, paidTo }) => ({ values: [day], place: numberSortKey(paidTo.holders.sol) }),
  },
  on: {
    RunClosed: {
      key: ({ data }) => `${data.tokenId}/${dayOf(data)}`,
      apply: (document: RunSums = NO_RUNS, { data }) => ({
        ...add<RunSums>(document, sumsOfRun(data)),
        tokenId: data.tokenId,
        day: dayOf(data),
      }),
    },
  },
});
