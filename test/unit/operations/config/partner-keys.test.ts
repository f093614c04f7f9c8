// PARTNER_KEYS: operators' rules for names and hashes, and quotas of each partner.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '../../../../src/operations/config/configuration.ts';
import { configurationRefusal } from '../../../support/configuration-refusal.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const [ONE, OTHER] = [hash('one'), hash('other')];

const refusal = (text: string) => configurationRefusal({ PARTNER_KEYS: text }).message;

describe('PARTNER_KEYS', () => {
  test('is a list of names, hashes and quotas', () => {
    const { partnerKeys } = readConfiguration({
      PARTNER_KEYS: `acme:${ONE}:general=10000/15m;create-unsigned=1000/h, other:${OTHER.toUpperCase()}`,
    });
    expect(partnerKeys).toEqual([
      {
        name: 'acme',
        sha256: ONE,
        quotas: {
          general: { quota: 10_000, windowSeconds: 900 },
          'create-unsigned': { quota: 1_000, windowSeconds: 3_600 },
        },
      },
      { name: 'other', sha256: OTHER, quotas: {} },
    ]);
  });

  // The rules of names and hashes are those of operators, in `operator-keys.test.ts`.
  test.each([
    ['what is refused of an operator', `acme:${ONE.slice(1)}`],
    ['quotas that are empty', `acme:${ONE}:`],
    ['a policy that there is not', `acme:${ONE}:nothing=1/h`],
    ['a policy twice', `acme:${ONE}:general=1/h;general=2/h`],
    ['a period that is no whole second', `acme:${ONE}:general=1/1500ms`],
    ['a quota of none', `acme:${ONE}:general=0/h`],
    ['a fourth part', `acme:${ONE}:general=1/h:x`],
  ])('is refused with %s', (_what, text) => {
    expect(refusal(text)).toContain('PARTNER_KEYS');
  });

  test('is never shown, not even when it is refused', () => {
    const key = 'correct-horse-battery-staple';
    for (const text of [`acme:${key}`, `acme:${ONE}:${key}`, `acme:${ONE},bob:${key}`]) {
      expect(refusal(text)).not.toContain(key);
      expect(refusal(text)).not.toContain(ONE);
    }
  });
});
