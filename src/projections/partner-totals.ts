/** Projection with one document per partner: the sums of the closed runs of all tokens created with the partner's keys. */
import { defineProjection } from './levy-projection.ts';
import { type ClosedTotals, NO_CLOSED_RUNS, withClosedRun } from './recent-payments.ts';

export const partnerTotals = defineProjection<ClosedTotals>({
  name: 'partner_totals',
  version: 1,
  on: {
    RunClosed: {
      key: ({ data: { partner } }) => (partner === undefined ? [] : [partner]),
      apply: (totals = NO_CLOSED_RUNS, { data }) => withClosedRun(totals, data),
    },
  },
});
