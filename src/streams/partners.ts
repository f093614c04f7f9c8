/** Singleton stream of partners: launchpads whose calls are counted by their key. Stores hashes of keys, never keys. */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { DeveloperShare } from './developer-share.ts';
import { Timestamp } from './value-types.ts';

/** Id of the singleton stream; a single stream makes names unique. */
export const PARTNERS = 'all';

export const PartnerName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$',
  description:
    '1 to 32 letters, digits, dots, dashes and underscores; shown permanently with tokens that were created with the key.',
  examples: ['acme'],
});

/** Quota of a partner under a rate-limit policy. */
export const PartnerQuota = Type.Object({
  policy: Type.String({ minLength: 1, maxLength: 32 }),
  calls: Type.Integer({ minimum: 1 }),
  windowSeconds: Type.Integer({ minimum: 1 }),
});

export type PartnerQuota = Static<typeof PartnerQuota>;

/** SHA-256 of the key's text: 64 hexadecimal digits in lower case. */
const KeyHash = Type.String({ pattern: '^[0-9a-f]{64}$' });

const partnersEvents = {
  PartnerMade: Type.Object({
    partner: PartnerName,
    keyId: Uuid,
    sha256: KeyHash,
    /** Quotas that differ from the default. */
    quotas: Type.Array(PartnerQuota),
    /** Share of the developer's part of each token that is created with the key. */
    developerShare: Type.Optional(DeveloperShare),
  }),
  /** The previous key stays valid until `formerEndsAt`; older keys are invalid. */
  PartnerKeyRotated: Type.Object({
    partner: PartnerName,
    keyId: Uuid,
    sha256: KeyHash,
    formerEndsAt: Timestamp,
  }),
  /** All keys of the partner become invalid. */
  PartnerEnded: Type.Object({ partner: PartnerName, reason: Type.String() }),
};

export const { PartnerMade, PartnerKeyRotated, PartnerEnded } = constructorsOf(partnersEvents);

export interface RecordedPartner {
  readonly name: string;
  /** Id of the latest key. */
  readonly keyId: string;
  readonly ended: boolean;
  readonly developerShare?: Static<typeof DeveloperShare>;
}

export type PartnersState = readonly RecordedPartner[];

/** Names are compared without case. */
export function partnerNamed(state: PartnersState, name: string): RecordedPartner | undefined {
  return state.find((known) => known.name.toLowerCase() === name.toLowerCase());
}

const INTERNAL = 'Keys concern only the operator and the partner.';

export const partners = defineStream({
  category: 'partners',
  events: partnersEvents,
  internal: { PartnerMade: INTERNAL, PartnerKeyRotated: INTERNAL, PartnerEnded: INTERNAL },
  initial: [] as PartnersState,
  evolve(state, event): PartnersState {
    const { partner } = event.data;
    const before = partnerNamed(state, partner);
    const others = state.filter((known) => known !== before);
    switch (event.type) {
      case 'PartnerMade':
        return [
          ...others,
          {
            name: partner,
            keyId: event.data.keyId,
            ended: false,
            ...(event.data.developerShare && { developerShare: event.data.developerShare }),
          },
        ];
      case 'PartnerKeyRotated':
        return before === undefined ? state : [...others, { ...before, keyId: event.data.keyId }];
      case 'PartnerEnded':
        return before === undefined ? state : [...others, { ...before, ended: true }];
    }
  },
});
