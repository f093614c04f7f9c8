/** Projection with one document per partner created by operators, with the hashes of its keys. */
import type { Static } from '@sinclair/typebox';
import type { DeveloperShare } from '../streams/developer-share.ts';
import type { PartnerQuota } from '../streams/partners.ts';
import { defineProjection, operatorName } from './levy-projection.ts';

type PartnerKey = {
  readonly keyId: string;
  readonly sha256: string;
  readonly madeAt: string;
  /** The operator's name. */
  readonly madeBy: string;
  /** End of validity; null without a limit. */
  readonly endsAt: string | null;
};

export type PartnerDocument = {
  readonly name: string;
  readonly quotas: readonly PartnerQuota[];
  readonly developerShare: Static<typeof DeveloperShare> | null;
  /** Newest first; one or two keys, none after the partner has ended. */
  readonly keys: readonly PartnerKey[];
  readonly madeAt: string;
  readonly ended: { readonly reason: string; readonly by: string; readonly at: string } | null;
};

const byName = ({ data }: { readonly data: { readonly partner: string } }) => data.partner.toLowerCase();

export const partners = defineProjection<PartnerDocument>({
  name: 'partners',
  version: 1,
  indexes: {
    all: () => [''],
    key: ({ keys }) => keys.map(({ sha256 }) => sha256),
  },
  on: {
    PartnerMade: {
      key: byName,
      apply: (
        _ended,
        { data: { partner, keyId, sha256, quotas, developerShare }, metadata: { actor, occurredAt } },
      ) => ({
        name: partner,
        quotas,
        developerShare: developerShare ?? null,
        keys: [keyMade({ keyId, sha256 }, actor, occurredAt)],
        madeAt: occurredAt,
        ended: null,
      }),
    },
    PartnerKeyRotated: {
      key: byName,
      apply: (before, { data: { keyId, sha256, formerEndsAt }, metadata: { actor, occurredAt } }) =>
        before && {
          ...before,
          keys: [
            keyMade({ keyId, sha256 }, actor, occurredAt),
            ...before.keys.slice(0, 1).map((former) => ({ ...former, endsAt: formerEndsAt })),
          ],
        },
    },
    PartnerEnded: {
      key: byName,
      apply: (before, { data: { reason }, metadata: { actor, occurredAt } }) =>
        before && { ...before, keys: [], ended: { reason, by: operatorName(actor), at: occurredAt } },
    },
  },
});

function keyMade(key: Pick<PartnerKey, 'keyId' | 'sha256'>, actor: string, madeAt: string): PartnerKey {
  return { ...key, madeAt, madeBy: operatorName(actor), endsAt: null };
}
