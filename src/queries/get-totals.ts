/** Returns the totals of all tokens, for a start page. */
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import {
  ALL_DISTRIBUTIONS,
  distributionTotals,
  NO_DISTRIBUTIONS,
} from '../projections/distribution-totals.ts';
import { tokens } from '../projections/tokens.ts';
import { Totals, totalsView } from '../views/totals-view.ts';

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
    return new TaggedAnswer(totalsView(totals, total, clock.now()));
  },
});
