// The rules by which operators make partners, replace their keys and end them.
import { createHash } from 'node:crypto';
import { SYSTEM_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../src/chain/keys.ts';
import { endPartner, makePartner, rotatePartnerKey } from '../../../src/commands/create-partner-key.ts';
import { RECOMMENDED_PARTNER_QUOTAS } from '../../../src/server/http/rate-limit/policies.ts';
import {
  PartnerEnded,
  PartnerKeyRotated,
  PartnerMade,
  type RecordedPartner,
} from '../../../src/streams/partners.ts';
import { commandSpec } from '../../support/command-spec.ts';

const [firstKey, secondKey, thirdKey] = [
  { keyId: '11f82ccb-0246-5e2a-83c3-8f3a12af34d8', sha256: 'a'.repeat(64) },
  { keyId: '22f82ccb-0246-5e2a-83c3-8f3a12af34d8', sha256: 'b'.repeat(64) },
  { keyId: '33f82ccb-0246-5e2a-83c3-8f3a12af34d8', sha256: 'c'.repeat(64) },
] as const;
const quotas = [{ policy: 'general', calls: 10_000, windowSeconds: 900 }];
const formerEndsAt = '2026-05-05T10:00:00.000Z';
const reason = 'The contract is over.';

const made = PartnerMade({ partner: 'acme', ...firstKey, quotas });
const rotated = PartnerKeyRotated({ partner: 'acme', ...secondKey, formerEndsAt });
const ended = PartnerEnded({ partner: 'acme', reason });

const keyring = createKeyring(new Uint8Array(32));
const WALLET = '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj';

const context = (commandId: string, current?: RecordedPartner) => ({
  services: {
    keyring,
    policy: { maxPartnerShareBasisPoints: 4_000 },
    chain: { accounts: async () => [undefined] },
    clock: { now: () => new Date('2026-05-04T10:00:00.000Z') },
    executor: { load: async () => ({ state: current === undefined ? [] : [current] }) },
  } as never,
  call: { actor: 'operator:alice', requestId: 'r' },
  cause: { commandId } as never,
  observed: () => undefined,
});

describe('CreatePartner', () => {
  const spec = commandSpec(makePartner);
  const input = { body: { partner: 'acme' } };
  const facts = { ...firstKey, quotas };

  test('records name, hash and quotas', () => {
    spec.given().when({ input, facts }).records(made);
  });

  test('records a share up to the configured maximum, of a wallet that can be paid', async () => {
    const prepare = (share: { wallet: string; basisPoints: number }) =>
      makePartner.prepare(
        { body: { partner: 'acme', developerShare: share }, params: {}, query: {} },
        context(firstKey.keyId),
      );
    const share = { wallet: WALLET, basisPoints: 4_000 };
    const prepared = await prepare(share);
    expect(prepared.developerShare).toEqual(share);
    spec
      .given()
      .when({
        input: { body: { partner: 'acme', developerShare: share } },
        facts: { ...facts, developerShare: share },
      })
      .records(PartnerMade({ partner: 'acme', ...firstKey, quotas, developerShare: share }));
    await expect(prepare({ ...share, basisPoints: 4_001 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: ['developerShare', 'basisPoints'], message: 'must be at most 4000' }],
    });
    for (const wallet of ['O'.repeat(32), SYSTEM_PROGRAM, keyring.feePayer.address])
      await expect(prepare({ ...share, wallet })).rejects.toMatchObject({
        code: 'INVALID_ADDRESS',
        details: [{ path: ['developerShare', 'wallet'] }],
      });
  });

  test('gives no name twice, in whatever letters', () => {
    spec
      .given(made)
      .when({ input, facts: { ...secondKey, quotas } })
      .rejects('PARTNER_EXISTS');
    spec
      .given(made, rotated)
      .when({ input: { body: { partner: 'ACME' } }, facts: { ...thirdKey, quotas } })
      .rejects('PARTNER_EXISTS');
  });

  test('gives the name of a partner that has ended again', () => {
    const again = { ...thirdKey, quotas };
    spec
      .given(made, ended)
      .when({ input, facts: again })
      .records(PartnerMade({ partner: 'acme', ...again }));
  });

  test('gives the recommended quotas unless told otherwise, and refuses policies that are none of a partner', async () => {
    const prepared = await makePartner.prepare({ ...input, params: {}, query: {} }, context(firstKey.keyId));
    expect(prepared.quotas).toEqual(
      Object.entries(RECOMMENDED_PARTNER_QUOTAS).map(([policy, { quota, windowSeconds }]) => ({
        policy,
        calls: quota,
        windowSeconds,
      })),
    );
    for (const policies of [
      ['operator'],
      ['partner'],
      ['nonsense'],
      ['constructor'],
      ['general', 'general'],
    ]) {
      const body = {
        partner: 'acme',
        quotas: policies.map((policy) => ({ policy, calls: 1, windowSeconds: 60 })),
      };
      const refused = makePartner.prepare({ body, params: {}, query: {} }, context(firstKey.keyId));
      await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });

  test('answers the key whose hash it records: the same for the same call, another for another', async () => {
    const whole = { ...input, params: {}, query: {} };
    const ofCall = async (commandId: string) => {
      const { keyId, sha256 } = await makePartner.prepare(whole, context(commandId));
      const current = { name: 'acme', keyId, ended: false };
      const { key } = await makePartner.respond([], whole, context(commandId, current));
      expect(createHash('sha256').update(key).digest('hex')).toBe(sha256);
      return key;
    };
    const key = await ofCall(firstKey.keyId);
    expect(key).toMatch(/^levy_partner_[\w-]{43}$/);
    expect(await ofCall(firstKey.keyId)).toBe(key);
    expect(await ofCall(secondKey.keyId)).not.toBe(key);
  });

  test.each([
    ['replaced', { name: 'acme', keyId: secondKey.keyId, ended: false }],
    ['ended', { name: 'acme', keyId: firstKey.keyId, ended: true }],
  ])('returns no key that has been %s since', async (_how, current) => {
    const commandId = secondKey.keyId;
    const own = await makePartner.prepare({ ...input, params: {}, query: {} }, context(commandId));
    const now = current.ended ? { ...current, keyId: own.keyId } : current;
    const whole = { ...input, params: {}, query: {} };
    await expect(makePartner.respond([], whole, context(commandId, now))).rejects.toMatchObject({
      code: 'PARTNER_KEY_REPLACED',
    });
  });
});

describe('RotatePartnerKey', () => {
  const spec = commandSpec(rotatePartnerKey);
  const input = { params: { partner: 'acme' }, body: {} };
  const facts = { ...secondKey, formerEndsAt };

  test('records the new hash, and until when the key before it is valid', () => {
    spec.given(made).when({ input, facts }).records(rotated);
    spec
      .given(made)
      .when({ input: { ...input, params: { partner: 'Acme' } }, facts })
      .records(rotated);
    const third = { ...thirdKey, formerEndsAt };
    spec
      .given(made, rotated)
      .when({ input, facts: third })
      .records(PartnerKeyRotated({ partner: 'acme', ...third }));
  });

  test('keeps the key before it for a day unless told otherwise', async () => {
    const endOf = async (body: { readonly overlapSeconds?: number }) => {
      const prepared = await rotatePartnerKey.prepare({ ...input, body, query: {} }, context(firstKey.keyId));
      return prepared.formerEndsAt;
    };
    expect(await endOf({})).toBe('2026-05-05T10:00:00.000Z');
    expect(await endOf({ overlapSeconds: 0 })).toBe('2026-05-04T10:00:00.000Z');
  });

  test('knows no partner that was never made, or has ended', () => {
    spec.given().when({ input, facts }).rejects('PARTNER_NOT_FOUND');
    spec.given(made, ended).when({ input, facts }).rejects('PARTNER_NOT_FOUND');
  });
});

describe('EndPartner', () => {
  const spec = commandSpec(endPartner);
  const input = { params: { partner: 'acme' }, body: { reason } };
  const facts = { reason };

  test('records that it has ended, and why', () => {
    spec.given(made).when({ input, facts }).records(ended);
    spec.given(made, rotated).when({ input, facts }).records(ended);
  });

  test('records nothing for one that has ended', () => {
    spec.given(made, ended).when({ input, facts }).recordsNothing();
  });

  test('knows no partner that was never made', () => {
    spec.given().when({ input, facts }).rejects('PARTNER_NOT_FOUND');
  });
});
