/** Returns a partner's calls and refusals since its first call, and its remaining quotas. */
import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { partnerUsage as partnerUsages } from '../projections/partner-usage.ts';
import type { PartnerServices } from '../server/services.ts';
import { partnerUsageId } from '../streams/partner-usage.ts';
import { PartnerName } from '../streams/partners.ts';
import { orNull, Timestamp } from '../streams/value-types.ts';

const Calls = Type.Integer({ minimum: 0, examples: [41] });

export const getPartnerUsage = queriesFor<PartnerServices & RuntimeServices>()({
  name: 'GetPartnerUsage',
  summary: "Get a partner's usage",
  description:
    'Counted over all processes since the first call, across restarts. A call counts when its answer has ' +
    'ended, so this call is not included. Each process records its counts every 15 minutes and when it stops; ' +
    'until then, calls to other processes are missing. Quotas are those of the process that ' +
    'answers. Policies that count signed-in wallets only (`settings`, `preview`, `transactions`) do not use a ' +
    "partner's quota.",
  route: { method: 'GET', url: '/partner/usage', auth: 'partner' },
  input: {},
  output: Type.Object(
    {
      partner: PartnerName,
      since: Timestamp,
      calls: Calls,
      byStatus: Type.Array(Type.Object({ httpStatus: Type.Integer({ examples: [200] }), calls: Calls })),
      refusals: Type.Array(Type.Object({ code: Type.String({ examples: ['RATE_LIMITED'] }), calls: Calls }), {
        description: 'Number of answers by `code` of the problem.',
      }),
      quotas: Type.Array(
        Type.Object({
          policy: Type.String({ examples: ['general'] }),
          calls: Type.Integer({ description: 'Calls allowed in a window.', examples: [10_000] }),
          windowSeconds: Type.Integer({ examples: [900] }),
          remaining: Type.Integer({ description: 'Calls left in the current window.', examples: [9_959] }),
          endsAt: orNull(Timestamp, {
            description: 'End of that window; null before its first call.',
          }),
          refused: Type.Integer({
            description:
              "Calls that the policy refused because the partner's or a wallet's quota was used up.",
            examples: [0],
          }),
        }),
        { description: 'Empty if calls are not limited.' },
      ),
    },
    { title: 'PartnerUsage' },
  ),
  rejections: [],
  async answer(_input, { services: { partnerUsage, readModel }, call: { partner = '' } }) {
    return partnerUsage.of(partner, await readModel.get(partnerUsages, partnerUsageId(partner)));
  },
});
