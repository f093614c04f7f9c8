/** Every partner that operators have made. */
import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { partners } from '../projections/partners.ts';
import { PartnerView, partnerView } from '../views/partner-view.ts';

export const listPartners = queriesFor<RuntimeServices>()({
  name: 'ListPartners',
  summary: 'List partners',
  description:
    'Those that operators have made, also after they have ended, in the order in which they were made. ' +
    'All at once: operators name each by hand. Keys are not shown.',
  route: { method: 'GET', url: '/operator/partners', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.Object({ partners: Type.Array(PartnerView) }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { readModel } }) {
    return { partners: (await readModel.find(partners, 'all', '')).map(partnerView) };
  },
});
