// The read model of partners: whose keys are valid, and until when.
import { describe, expect, test } from 'vitest';
import { validAt } from '../../../src/app/api.ts';
import { partners } from '../../../src/projections/partners.ts';
import { PARTNERS, PartnerEnded, PartnerKeyRotated, PartnerMade } from '../../../src/streams/partners.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { EARLY, happening } from '../../support/recorded-events.ts';

const [firstKey, secondKey, thirdKey] = [
  { keyId: '11f82ccb-0246-5e2a-83c3-8f3a12af34d8', sha256: 'a'.repeat(64) },
  { keyId: '22f82ccb-0246-5e2a-83c3-8f3a12af34d8', sha256: 'b'.repeat(64) },
  { keyId: '33f82ccb-0246-5e2a-83c3-8f3a12af34d8', sha256: 'c'.repeat(64) },
] as const;
const quotas = [{ policy: 'general', calls: 10_000, windowSeconds: 900 }];
const LATER = '2026-05-06T10:00:00.000Z';
const END = '2026-05-07T10:00:00.000Z';

type PartnerEvent = Parameters<typeof happening>[1];
const byAnn = (event: PartnerEvent, time = EARLY) => ({
  ...happening(PARTNERS, event, time),
  actor: 'operator:ann',
});

const developerShare = { wallet: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj', basisPoints: 2_500 };
const made = byAnn(PartnerMade({ partner: 'Acme', ...firstKey, quotas, developerShare }));
const rotated = byAnn(PartnerKeyRotated({ partner: 'Acme', ...secondKey, formerEndsAt: END }), LATER);
const rotatedAgain = byAnn(PartnerKeyRotated({ partner: 'Acme', ...thirdKey, formerEndsAt: LATER }), LATER);
const ended = byAnn(PartnerEnded({ partner: 'Acme', reason: 'It is over.' }), LATER);

const keyOf = (key: typeof firstKey | typeof secondKey | typeof thirdKey, madeAt: string) => ({
  ...key,
  madeAt,
  madeBy: 'ann',
  endsAt: null,
});
const first = {
  name: 'Acme',
  quotas,
  developerShare,
  keys: [keyOf(firstKey, EARLY)],
  madeAt: EARLY,
  ended: null,
};
const afterRotation = {
  ...first,
  keys: [keyOf(secondKey, LATER), { ...keyOf(firstKey, EARLY), endsAt: END }],
};

describe('partners', () => {
  const spec = projectionSpec(partners);

  test('keep one key beside the latest', () => {
    spec.given(made, rotated).gives({ acme: afterRotation });
    spec.given(made, rotated, rotatedAgain).gives({
      acme: { ...first, keys: [keyOf(thirdKey, LATER), { ...keyOf(secondKey, LATER), endsAt: LATER }] },
    });
  });

  test('hold no key of one that has ended, until it is made again', () => {
    const over = { ...first, keys: [], ended: { reason: 'It is over.', by: 'ann', at: LATER } };
    spec.given(made, rotated, ended).gives({ acme: over });
    spec.given(made, ended, made).gives({ acme: first });
  });
});

describe('a key', () => {
  test('is valid with its quotas until it ends, and not at that moment', () => {
    const whose = (sha256: string, at: string) => validAt(afterRotation, sha256, at);
    const partner = (sha256: string) => ({
      name: 'Acme',
      sha256,
      quotas: { general: { quota: 10_000, windowSeconds: 900 } },
    });
    expect(whose(secondKey.sha256, '2027-01-01T00:00:00.000Z')).toEqual(partner(secondKey.sha256));
    expect(whose(firstKey.sha256, '2026-05-07T09:59:59.999Z')).toEqual(partner(firstKey.sha256));
    expect(whose(firstKey.sha256, END)).toBeUndefined();
    expect(whose(thirdKey.sha256, LATER)).toBeUndefined();
  });
});
