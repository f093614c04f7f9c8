/** Lists all partners: created by operators, and configured in PARTNER_KEYS. */
import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { partners } from '../projections/partners.ts';
import { quotasView } from '../server/http/rate-limit/policies.ts';
import type { PartnerServices } from '../server/services.ts';
import { PartnerView, partnerView } from '../views/partner-view.ts';

export const listPartners = queriesFor<RuntimeServices & PartnerServices>()({
  name: 'ListPartners',
  summary: 'List partners',
  description:
    'Partners that operators created, including ended ones, in the order of creation; then the entries of ' +
    '`PARTNER_KEYS` of the process that handles the call. All in one page. Keys are never returned.',
  route: { method: 'GET', url: '/operator/partners', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.Object({ partners: Type.Array(PartnerView) }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { readModel, partnersOfEnvironment } }) {
    const made = await readModel.find(partners, 'all', '');
    const named = partnersOfEnvironment.map(({ name, quotas }) => ({
      partner: name,
      source: 'environment' as const,
      quotas: quotasView(quotas),
      developerShare: null,
      keys: [],
      end: null,
    }));
    return { partners: [...made.map(partnerView), ...named] };
  },
});
