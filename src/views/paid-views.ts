/** Views of sums of payments. */
import { type Static, Type } from '@sinclair/typebox';
import type { DistributionDayDocument } from '../projections/distribution-days.ts';
import { add, type ByAsset, NOTHING, type RunSums } from '../projections/run-sums.ts';

/** Sum of many runs, which may exceed 64 bits. */
export const Sum = (description: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]*)$', description, examples: ['1000000000'] });

export const BySum = (description: string) =>
  Type.Object({ sol: Sum('Lamports.'), token: Sum('Base units of the token.') }, { description });

export const PaidParts = Type.Object(
  {
    toHolders: BySum('Paid to holders.'),
    toDeveloper: BySum('Paid to the developer, without payments as a holder.'),
    toDistributor: BySum('Repaid to the distributor for its fees.'),
    formerDebts: BySum('Paid debts in the former reward asset, to holders and to the developer.'),
  },
  {
    title: 'PaidParts',
    description: 'Payments of closed runs by recipient; the parts add up to the total.',
  },
);

export function paidPartsView({
  holders,
  developer,
  costs,
  debts,
}: RunSums['paidTo']): Static<typeof PaidParts> {
  return { toHolders: holders, toDeveloper: developer, toDistributor: costs, formerDebts: debts };
}

export const PaidToHolders = Type.Object(
  {
    lifetime: BySum('Total of all closed runs.'),
    last24Hours: BySum('Counted by whole hours (UTC), including the hour that began 24 hours ago.'),
    last7Days: BySum('Counted by whole hours (UTC), like `last24Hours`.'),
    averagePerRun: BySum(
      '`lifetime` divided by the number of closed runs, rounded down; 0 before the first.',
    ),
  },
  { title: 'PaidToHolders', description: 'Payments of closed runs to holders only.' },
);

const HOUR = 3_600_000;

/** Number of daily documents read: nine days cover any seven times 24 hours. */
export const DAYS_READ = 9;

export function paidToHoldersView(
  { lifetime, runs }: { readonly lifetime: ByAsset; readonly runs: number },
  days: readonly Pick<DistributionDayDocument, 'day' | 'hours'>[],
  now: Date,
): Static<typeof PaidToHolders> {
  const average = (total: string) => (runs === 0 ? '0' : (BigInt(total) / BigInt(runs)).toString());
  return {
    lifetime,
    last24Hours: paidSince(days, now.getTime() - 24 * HOUR),
    last7Days: paidSince(days, now.getTime() - 7 * 24 * HOUR),
    averagePerRun: { sol: average(lifetime.sol), token: average(lifetime.token) },
  };
}

/** Sums the hours that end after `moment`, in milliseconds since the epoch. */
export function paidSince(
  days: readonly Pick<DistributionDayDocument, 'day' | 'hours'>[],
  moment: number,
): ByAsset {
  return days
    .flatMap(({ day, hours }) =>
      hours.map((each) => ({ ...each, begin: Date.parse(day) + each.hour * HOUR })),
    )
    .filter(({ begin }) => begin + HOUR > moment)
    .reduce((total, { toHolders }) => add(total, toHolders), NOTHING);
}
