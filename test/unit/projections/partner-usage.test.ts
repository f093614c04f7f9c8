// The read model of what partners called, over all processes.
import { test } from 'vitest';
import { partnerUsage } from '../../../src/projections/partner-usage.ts';
import { PartnerCallsCounted, partnerUsageId } from '../../../src/streams/partner-usage.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { EARLY, happening } from '../../support/recorded-events.ts';

const LATER = '2026-05-04T10:15:00.000Z';
const counted = (partner: string, countId: string, since: string, calls: object) =>
  happening(
    partnerUsageId(partner),
    PartnerCallsCounted({
      partner,
      countId,
      since,
      calls: 0,
      byStatus: {},
      refusals: {},
      limitedBy: {},
      ...calls,
    }),
  );
const first = counted('Acme', '11f82ccb-0246-5e2a-83c3-8f3a12af34d8', EARLY, {
  calls: 3,
  byStatus: { 200: 2, 429: 1 },
  refusals: { RATE_LIMITED: 1 },
  limitedBy: { general: 1 },
});
const second = counted('acme', '22f82ccb-0246-5e2a-83c3-8f3a12af34d8', LATER, {
  calls: 2,
  byStatus: { 200: 1, 404: 1 },
  refusals: { TOKEN_NOT_FOUND: 1 },
});

const spec = projectionSpec(partnerUsage);

test('the counts of a partner are added up since the first, whichever case its name has', () => {
  spec.given(first, second).gives({
    [partnerUsageId('acme')]: {
      calls: 5,
      byStatus: { 200: 3, 404: 1, 429: 1 },
      refusals: { RATE_LIMITED: 1, TOKEN_NOT_FOUND: 1 },
      limitedBy: { general: 1 },
      since: EARLY,
      revision: 1,
    },
  });
});
