/** View of the totals of several tokens. */
import { type Static, Type } from '@sinclair/typebox';
import type { ClosedTotals } from '../projections/recent-payments.ts';
import { paidToHoldersView, Sum } from './paid-views.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1_000] });

const InSol = (description: string) => Type.Object({ sol: Sum('Lamports.') }, { description });

export const Totals = Type.Object(
  {
    tokenCount: Count('Number of visible tokens.'),
    runCount: Count('Number of closed runs.'),
    paymentsToHolders: Count('Number of payments to holders.'),
    proceeds: Sum('Proceeds of sales of the tax, in lamports.'),
    paidToHolders: Type.Object(
      {
        lifetime: InSol('Total of all closed runs.'),
        last24Hours: InSol('Counted by whole hours (UTC), including the hour that began 24 hours ago.'),
        last7Days: InSol('Today and the six days before (UTC).'),
      },
      { description: 'Paid to holders.' },
    ),
    paidToDevelopers: Sum('Paid to developers, in lamports.'),
    costs: Sum('Lamports repaid to the distributor for its fees.'),
  },
  {
    title: 'Totals',
    description: 'Payments in lamports only: base units of different tokens cannot be added.',
  },
);

export function totalsView(
  { paidTo, runs, holdersPaid, proceeds, recentlyToHolders }: ClosedTotals,
  tokenCount: number,
  now: Date,
): Static<typeof Totals> {
  const { lifetime, last24Hours, last7Days } = paidToHoldersView(paidTo.holders, recentlyToHolders, now);
  return {
    tokenCount,
    runCount: runs,
    paymentsToHolders: holdersPaid,
    proceeds,
    paidToHolders: {
      lifetime: { sol: lifetime.sol },
      last24Hours: { sol: last24Hours.sol },
      last7Days: { sol: last7Days.sol },
    },
    paidToDevelopers: paidTo.developer.sol,
    costs: paidTo.costs.sol,
  };
}
