/** What a partner has called since this process began, what was refused, and what is left of its quotas. */
import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { PartnerServices } from '../server/http/rate-limit/services.ts';
import { PartnerName } from '../streams/partners.ts';
import { orNull, Timestamp } from '../streams/values.ts';

const Calls = Type.Integer({ minimum: 0, examples: [41] });

export const getPartnerUsage = queriesFor<PartnerServices>()({
  name: 'GetPartnerUsage',
  summary: "Get a partner's usage",
  description:
    'Of the process that answers, as limits are: each process counts for itself, and begins anew when it starts. A call counts when ' +
    'its answer has ended, so this one is not among them yet. Policies that count signed-in wallets alone (`settings`, `preview`, ' +
    '`transactions`) use up nothing of a partner.',
  route: { method: 'GET', url: '/partner/usage', auth: 'partner' },
  input: {},
  output: Type.Object(
    {
      partner: PartnerName,
      since: Timestamp,
      calls: Calls,
      byStatus: Type.Array(Type.Object({ httpStatus: Type.Integer({ examples: [200] }), calls: Calls })),
      refusals: Type.Array(Type.Object({ code: Type.String({ examples: ['RATE_LIMITED'] }), calls: Calls }), {
        description: 'By the `code` of the problem.',
      }),
      quotas: Type.Array(
        Type.Object({
          policy: Type.String({ examples: ['general'] }),
          calls: Type.Integer({ description: 'Allowed in a window.', examples: [10_000] }),
          windowSeconds: Type.Integer({ examples: [900] }),
          remaining: Type.Integer({ description: 'Left of the window that runs now.', examples: [9_959] }),
          endsAt: orNull(Timestamp, {
            description: 'When that window ends; null while no call has begun one.',
          }),
          refused: Type.Integer({
            description: "Calls that the policy refused, for the partner's quota or a wallet's.",
            examples: [0],
          }),
        }),
        { description: 'Empty where nothing is limited.' },
      ),
    },
    { title: 'PartnerUsage' },
  ),
  rejections: [],
  async answer(_input, { services: { partnerUsage }, call: { partner = '' } }) {
    return partnerUsage.of(partner);
  },
});
