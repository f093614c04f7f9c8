/**
 * One document per token and day (UTC), and one per day for all tokens together: what the runs that were closed on it have
 * brought and paid. Charts and the sums of the last hours and days are made of these, a few documents each.
 */
import { sum } from '../streams/sum-of-digits.ts';
import { defineProjection } from './define-projection.ts';
import {
  addByAsset,
  addPaid,
  type ByAsset,
  type ClosedRun,
  NOTHING,
  NOTHING_PAID,
  type PaidTotals,
  paidByRun,
} from './paid-totals.ts';

/** In the place of a token's id: all tokens together. */
export const ALL_TOKENS = 'all';

export type DistributionDayDocument = {
  /** A token's id, or `ALL_TOKENS`. */
  readonly scope: string;
  /** `2026-05-04` */
  readonly day: string;
  readonly runs: number;
  /** Digits of any length; base units of the token. */
  readonly collected: string;
  readonly burned: string;
  readonly sold: string;
  /** Lamports. */
  readonly proceeds: string;
  readonly paid: PaidTotals;
  /** Payments to holders, where they were counted apart. */
  readonly holdersPaid: number;
  /** The hours with runs, in their order. */
  readonly hours: readonly HourOfDay[];
};

type HourOfDay = { readonly hour: number; readonly runs: number; readonly toHolders: ByAsset };

/** Documents of one scope are found in the order of time. */
function daysOf(name: string, scopeOf: (run: ClosedRun) => string) {
  return defineProjection<DistributionDayDocument>({
    name,
    version: 1,
    indexes: { scope: ({ scope }) => [scope] },
    on: {
      RunClosed: {
        key: ({ data }) => `${scopeOf(data)}/${dayOf(data)}`,
        apply: (document, { data }) => withRun(document ?? emptyDay(scopeOf(data), dayOf(data)), data),
      },
    },
  });
}

export const distributionDays = daysOf('distribution_days', ({ tokenId }) => tokenId);

/** All tokens together. Only the lamports mean something: base units of different tokens are added up. */
export const allDistributionDays = daysOf('all_distribution_days', () => ALL_TOKENS);

const dayOf = ({ closedAt }: Pick<ClosedRun, 'closedAt'>): string => closedAt.slice(0, 10);

function emptyDay(scope: string, day: string): DistributionDayDocument {
  return {
    scope,
    day,
    runs: 0,
    collected: '0',
    burned: '0',
    sold: '0',
    proceeds: '0',
    paid: NOTHING_PAID,
    holdersPaid: 0,
    hours: [],
  };
}

function withRun(day: DistributionDayDocument, run: ClosedRun): DistributionDayDocument {
  const { amounts, closedAt } = run;
  const paid = paidByRun(run);
  return {
    ...day,
    runs: day.runs + 1,
    collected: sum(day.collected, amounts.collected),
    burned: sum(day.burned, amounts.burned),
    sold: sum(day.sold, amounts.sold.developer, amounts.sold.holders),
    proceeds: sum(day.proceeds, amounts.proceeds),
    paid: addPaid(day.paid, paid),
    holdersPaid: day.holdersPaid + run.paidTo.holdersPaid,
    hours: withHour(day.hours, Number(closedAt.slice(11, 13)), paid.holders),
  };
}

function withHour(hours: readonly HourOfDay[], hour: number, toHolders: ByAsset): readonly HourOfDay[] {
  const before = hours.find((each) => each.hour === hour);
  const added = {
    hour,
    runs: (before?.runs ?? 0) + 1,
    toHolders: addByAsset(before?.toHolders ?? NOTHING, toHolders),
  };
  return [...hours.filter((each) => each.hour !== hour), added].toSorted(
    (one, other) => one.hour - other.hour,
  );
}
