/** Returns the totals of the tokens whose drafts were requested with a partner's key, for that partner. */
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { partnerTotals } from '../projections/partner-totals.ts';
import { NO_CLOSED_RUNS } from '../projections/recent-payments.ts';
import { tokens } from '../projections/tokens.ts';
import { Totals, totalsView } from '../views/totals-view.ts';

export const getPartnerTotals = queriesFor<RuntimeServices>()({
  name: 'GetPartnerTotals',
  summary: "Get the totals of a partner's tokens",
  description:
    'Totals of closed runs of all tokens whose drafts were requested with a key of the calling partner. ' +
    'Payments in lamports only. `tokenCount` excludes hidden tokens.',
  route: { method: 'GET', url: '/partner/totals', auth: 'partner' },
  input: {},
  output: Totals,
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { readModel, clock }, call: { partner = '' } }) {
    const [totals = NO_CLOSED_RUNS, { total }] = await Promise.all([
      readModel.get(partnerTotals, partner),
      readModel.page(tokens, 'partner', partner, { view: 'card', offset: 0, limit: 0 }),
    ]);
    return totalsView(totals, total, clock.now());
  },
});
