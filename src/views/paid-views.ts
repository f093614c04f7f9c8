/** Views of sums of payments. */
import { type Static, Type } from '@sinclair/typebox';
import { type RecentPayments, recentlyPaid } from '../projections/recent-payments.ts';
import type { ByAsset, RunSums } from '../projections/run-sums.ts';

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
    last7Days: BySum('Today and the six days before (UTC).'),
  },
  { title: 'PaidToHolders', description: 'Payments of closed runs to holders only.' },
);

export function paidToHoldersView(
  lifetime: ByAsset,
  recent: RecentPayments,
  now: Date,
): Static<typeof PaidToHolders> {
  return { lifetime, ...recentlyPaid(recent, now) };
}
