/** The forms in which sums of what was paid are shown. */
import { type Static, Type } from '@sinclair/typebox';
import type { DistributionDayDocument } from '../projections/distribution-days.ts';
import { add, type ByAsset, NOTHING, type RunSums } from '../projections/run-sums.ts';

/** Sums of many runs: they may exceed 64 bits. */
export const Sum = (description: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]*)$', description, examples: ['1000000000'] });

/** In SOL and in the token itself. */
export const BySum = (description: string) =>
  Type.Object({ sol: Sum('Lamports.'), token: Sum('Base units of the token.') }, { description });

export const PaidParts = Type.Object(
  {
    toHolders: BySum('To holders.'),
    toDeveloper: BySum('To the developer, without payments to the developer as a holder.'),
    toDistributor: BySum('To the distributor, for its fees.'),
    formerDebts: BySum('Owed in the former reward asset, to holders and to the developer.'),
  },
  {
    title: 'PaidParts',
    description: 'Paid by closed runs. The parts add up to the total that they have paid.',
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
    last24Hours: BySum('Counted by whole hours (UTC): the hour that began 24 hours ago is in it.'),
    last7Days: BySum('Counted by whole hours (UTC), as `last24Hours` is.'),
    averagePerRun: BySum(
      '`lifetime` divided by the number of closed runs, rounded down; 0 before the first.',
    ),
  },
  { title: 'PaidToHolders', description: 'Payments of closed runs to holders only.' },
);

const HOUR = 3_600_000;

/** Nine days cover seven times 24 hours whenever they begin. */
export const DAYS_LOOKED_AT = 9;

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

/** Sums the hours that had not ended at that time, in milliseconds. */
function paidSince(days: readonly Pick<DistributionDayDocument, 'day' | 'hours'>[], moment: number): ByAsset {
  return days
    .flatMap(({ day, hours }) =>
      hours.map((each) => ({ ...each, begin: Date.parse(day) + each.hour * HOUR })),
    )
    .filter(({ begin }) => begin + HOUR > moment)
    .reduce((total, { toHolders }) => add(total, toHolders), NOTHING);
}
