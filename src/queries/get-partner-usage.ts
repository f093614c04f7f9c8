/** Returns a partner's calls and refusals since the process started, and its remaining quotas. */
import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { PartnerServices } from '../server/services.ts';
import { PartnerName } from '../streams/partners.ts';
import { orNull, Timestamp } from '../streams/value-types.ts';

const Calls = Type.Integer({ minimum: 0, examples: [41] });

export const getPartnerUsage = queriesFor<PartnerServices>()({
  name: 'GetPartnerUsage',
  summary: "Get a partner's usage",
  description:
    'Counts, like the quotas, the calls to the process that handles this call, since its start. A call is counted ' +
    'after its response has ended, so this call is not included. Policies that count signed-in wallets only ' +
    "(`settings`, `preview`, `transactions`) do not use a partner's quota.",
  route: { method: 'GET', url: '/partner/usage', auth: 'partner' },
  input: {},
  output: Type.Object(
    {
      partner: PartnerName,
      since: Timestamp,
      calls: Calls,
      byStatus: Type.Array(Type.Object({ httpStatus: Type.Integer({ examples: [200] }), calls: Calls })),
      refusals: Type.Array(Type.Object({ code: Type.String({ examples: ['RATE_LIMITED'] }), calls: Calls }), {
        description: 'Number of responses by `code` of the problem.',
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
  answer: async (_input, { services: { partnerUsage }, call: { partner = '' } }) => partnerUsage.of(partner),
});
