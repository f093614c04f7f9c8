/** Views of partners and their quotas. */
import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { PartnerDocument } from '../projections/partners.ts';
import { DeveloperShare } from '../streams/developer-share.ts';
import { PartnerName } from '../streams/partners.ts';
import { enumOf, orNull, Timestamp } from '../streams/value-types.ts';

/** Maximum values of RATE_LIMITS: calls, and seconds of a window. */
const MAX_CALLS = 1_000_000;
const MAX_WINDOW = 86_400;

const PartnerQuotaView = Type.Object(
  {
    policy: Type.String({
      maxLength: 32,
      description: 'Name of a rate-limit policy.',
      examples: ['general'],
    }),
    calls: Type.Integer({ minimum: 1, maximum: MAX_CALLS, examples: [10_000] }),
    windowSeconds: Type.Integer({ minimum: 1, maximum: MAX_WINDOW, examples: [900] }),
  },
  { title: 'PartnerQuota', additionalProperties: false },
);

export const PartnerQuotas = Type.Array(PartnerQuotaView, {
  maxItems: 32,
  description: 'Quotas by policy; other policies have their default quotas.',
});

export const PartnerView = Type.Object(
  {
    partner: PartnerName,
    source: enumOf('PartnerSource', ['operator', 'environment'], {
      description:
        '`operator`: created by these routes. `environment`: an entry of `PARTNER_KEYS`, changed there.',
    }),
    quotas: PartnerQuotas,
    developerShare: orNull(DeveloperShare, {
      description:
        "Share of the developer's part of each token that is created with the partner's key; null if none.",
    }),
    keys: Type.Array(
      Type.Object({
        keyId: Uuid,
        madeAt: Timestamp,
        madeBy: Type.String({ description: 'Name of the operator.', examples: ['alice'] }),
        endsAt: orNull(Timestamp, {
          description: 'Time until which the key is valid; null without a limit.',
        }),
      }),
      { description: 'Newest first. Keys and their hashes are never returned.' },
    ),
    end: orNull(
      Type.Object({
        reason: Type.String({ examples: ['The contract is over.'] }),
        by: Type.String({ examples: ['alice'] }),
        at: Timestamp,
      }),
      { description: 'Null until an operator ends the partner.' },
    ),
  },
  { title: 'Partner' },
);

export function partnerView({
  name,
  quotas,
  developerShare,
  keys,
  ended,
}: PartnerDocument): Static<typeof PartnerView> {
  return {
    partner: name,
    source: 'operator',
    quotas: [...quotas],
    developerShare,
    keys: keys.map(({ sha256: _secret, ...shown }) => shown),
    end: ended,
  };
}
