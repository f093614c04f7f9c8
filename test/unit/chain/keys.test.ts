import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { createKeyPair, createKeyring } from '../../../src/chain/keys.ts';

const seed = Uint8Array.from({ length: 32 }, (_, index) => index);
const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** RFC 5869 with an empty salt and one block of output, written a second time. */
function documentedDerivation(path: string): Uint8Array {
  const pseudoRandomKey = createHmac('sha256', Buffer.alloc(32)).update(seed).digest();
  return createHmac('sha256', pseudoRandomKey).update(path).update(Uint8Array.of(1)).digest();
}

describe('the keyring', () => {
  const keyring = createKeyring(seed);

  test('derives every key as documented', () => {
    const documented: [string, { address: string }][] = [
      ['levy/v1/fee-payer', keyring.feePayer],
      ['levy/v1/nonce-authority', keyring.nonceAuthority],
      ['levy/v1/nonce-account/0', keyring.nonceAccount(0)],
      ['levy/v1/nonce-account/17', keyring.nonceAccount(17)],
      ['levy/v1/treasury', keyring.treasury],
      ['levy/v1/desk', keyring.desk],
      [`levy/v1/mint/${id}`, keyring.mint(id)],
      [`levy/v1/position/${id}`, keyring.position(id)],
      [`levy/v1/distribution-wallet/${id}`, keyring.distributionWallet(id)],
    ];
    for (const [path, key] of documented) {
      expect(key.address, path).toBe(Keypair.fromSeed(documentedDerivation(path)).publicKey.toBase58());
    }
    expect(Buffer.from(keyring.mintSecretEnvelope(id))).toEqual(
      documentedDerivation(`levy/v1/mint-secret-envelope/${id}`),
    );
    expect(Buffer.from(keyring.partnerKey(id))).toEqual(documentedDerivation(`levy/v1/partner-key/${id}`));
    expect(keyring.fingerprint).toBe(
      Buffer.from(documentedDerivation('levy/v1/fingerprint')).toString('hex'),
    );
  });

  test('never changes the addresses that a seed has given', () => {
    expect({
      fingerprint: keyring.fingerprint,
      feePayer: keyring.feePayer.address,
      mint: keyring.mint(id).address,
      position: keyring.position(id).address,
      distributionWallet: keyring.distributionWallet(id).address,
    }).toMatchInlineSnapshot(`
      {
        "distributionWallet": "Aaq2XqBkVnVPmTX3SLZ6QVPNQ3XPAhdp3PzkmMmsy6ys",
        "feePayer": "5m7BeDYWvf9EyTR9sU4doqbQzk6SyQfebxUmrCcJhvXg",
        "fingerprint": "169d420aa6a3620f05222406b9bebb906ebc6ccf1c2a5d0aab333c8cfb5db5b1",
        "mint": "CRbyWhcrnhSky6vUn526riDmwz3DJq1tvGPeZehe5RoX",
        "position": "FgjHB2jyvENj54vWGhbaWsgdzJ8qR3dQ2pkWk29P3puy",
      }
    `);
  });

  test('refuses ids that would silently be another key', () => {
    for (const wrong of ['', id.toUpperCase(), ` ${id}`, `${id}/x`, '../../fee-payer']) {
      expect(() => keyring.mint(wrong)).toThrow(TypeError);
      expect(() => keyring.distributionWallet(wrong)).toThrow(TypeError);
      expect(() => keyring.mintSecretEnvelope(wrong)).toThrow(TypeError);
      expect(() => keyring.position(wrong)).toThrow(TypeError);
    }
    for (const wrong of [-1, 0.5, Number.NaN]) expect(() => keyring.nonceAccount(wrong)).toThrow(TypeError);
  });

  test('takes 32 bytes only, and does not follow later changes of the array', () => {
    expect(() => createKeyring(new Uint8Array(31))).toThrow(TypeError);
    expect(() => createKeyring(new Uint8Array(64))).toThrow(TypeError);
    const mutable = Uint8Array.from(seed);
    const copied = createKeyring(mutable);
    mutable.fill(0);
    expect(copied.mint(id).address).toBe(keyring.mint(id).address);
  });
});

describe('a key pair', () => {
  const pair = createKeyPair(seed);

  test('is the one that a wallet makes of its 64 secret bytes', () => {
    const imported = Keypair.fromSecretKey(pair.secretKey);
    expect(imported.publicKey.toBase58()).toBe(pair.address);
    expect(Buffer.from(imported.publicKey.toBytes())).toEqual(Buffer.from(pair.publicKey));
  });

  test('does not spell out its secret when it is logged or serialized', () => {
    const texts = [inspect(pair, { depth: 9, showHidden: true }), JSON.stringify(pair)];
    for (const text of texts) {
      expect(text).toContain(pair.address);
      expect(text).not.toMatch(/secret.*\d|0, 1, 2, 3, 4, 5/i);
    }
  });
});
