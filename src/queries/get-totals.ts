/** Returns the totals of all tokens, for a start page. */
import { Type } from '@sinclair/typebox';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import {
  ALL_DISTRIBUTIONS,
  distributionTotals,
  NO_DISTRIBUTIONS,
} from '../projections/distribution-totals.ts';
import { tokens } from '../projections/tokens.ts';
import { paidToHoldersView, Sum } from '../views/paid-views.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1_000] });

const InSol = (description: string) => Type.Object({ sol: Sum('Lamports.') }, { description });

const Totals = Type.Object(
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

export const getTotals = queriesFor<RuntimeServices>()({
  name: 'GetTotals',
  summary: 'Get the totals of all tokens',
  description:
    'Totals of closed runs, for a start page. Payments in lamports only: base units of different tokens cannot be added.',
  route: { method: 'GET', url: '/totals', auth: 'none' },
  input: {},
  output: Totals,
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { readModel, clock } }) {
    const [totals = NO_DISTRIBUTIONS, { total }] = await Promise.all([
      readModel.get(distributionTotals, ALL_DISTRIBUTIONS),
      readModel.page(tokens, 'all', '', { view: 'card', offset: 0, limit: 0 }),
    ]);
    const { paidTo, runs, holdersPaid, proceeds, recentlyToHolders } = totals;
    const shown = paidToHoldersView(paidTo.holders, recentlyToHolders, clock.now());
    const answer = {
      tokenCount: total,
      runCount: runs,
      paymentsToHolders: holdersPaid,
      proceeds,
      paidToHolders: {
        lifetime: { sol: shown.lifetime.sol },
        last24Hours: { sol: shown.last24Hours.sol },
        last7Days: { sol: shown.last7Days.sol },
      },
      paidToDevelopers: paidTo.developer.sol,
      costs: paidTo.costs.sol,
    };
    return new TaggedAnswer(answer);
  },
});
