/** Payments to holders in the last hours and days, as stored by several read models. Hours and days are in UTC. */
import { add, type ByAsset, type ClosedRun, NO_RUNS, NOTHING, type RunSums, sumsOfRun } from './run-sums.ts';

/** Keys such as `2026-05-04T11` and `2026-05-04`; without hours older than a day and days older than a week at the last payment. */
export type RecentPayments = {
  readonly hours: PaidByPeriod;
  readonly days: PaidByPeriod;
};

type PaidByPeriod = { readonly [period: string]: ByAsset };

export const NO_RECENT_PAYMENTS: RecentPayments = { hours: {}, days: {} };

const DAY = 86_400_000;

const hourOf = (at: number): string => new Date(at).toISOString().slice(0, 13);
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The oldest hour contains the moment 24 hours ago; the oldest of the seven days is six days ago. */
function oldestPeriods(at: number) {
  return { hour: hourOf(at - DAY), day: dayOf(at - 6 * DAY) };
}

/** `at`: ISO 8601 time of the payments. */
export function withPayments({ hours, days }: RecentPayments, at: string, paid: ByAsset): RecentPayments {
  const moment = Date.parse(at);
  const oldest = oldestPeriods(moment);
  return {
    hours: withPeriod(since(hours, oldest.hour), hourOf(moment), paid),
    days: withPeriod(since(days, oldest.day), dayOf(moment), paid),
  };
}

export function recentlyPaid({ hours, days }: RecentPayments, now: Date) {
  const oldest = oldestPeriods(now.getTime());
  return { last24Hours: total(since(hours, oldest.hour)), last7Days: total(since(days, oldest.day)) };
}

/** Sums of the closed runs of one or more tokens, with the recent payments. */
export type ClosedTotals = RunSums & { readonly recentlyToHolders: RecentPayments };

export const NO_CLOSED_RUNS: ClosedTotals = { ...NO_RUNS, recentlyToHolders: NO_RECENT_PAYMENTS };

export function withClosedRun(totals: ClosedTotals, run: ClosedRun): ClosedTotals {
  const sums = sumsOfRun(run);
  return {
    ...add<RunSums>(totals, sums),
    recentlyToHolders: withPayments(totals.recentlyToHolders, run.closedAt, sums.paidTo.holders),
  };
}

function withPeriod(periods: PaidByPeriod, period: string, paid: ByAsset): PaidByPeriod {
  return { ...periods, [period]: add(periods[period] ?? NOTHING, paid) };
}

function since(periods: PaidByPeriod, oldest: string): PaidByPeriod {
  return Object.fromEntries(Object.entries(periods).filter(([period]) => period >= oldest));
}

function total(periods: PaidByPeriod): ByAsset {
  return Object.values(periods).reduce(add, NOTHING);
}
