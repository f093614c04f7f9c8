import { Keypair } from '@solana/web3.js';
import { decodeProtectedHeader } from 'jose';
import { addressOf } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { smallOrderEncodings } from '../../../packages/solana-wire/test/small-order.ts';
import { createKeyPair, createKeyring } from '../../../src/chain/keys.ts';
import { sealMintSecret } from '../../../src/chain/mint-secret.ts';
import { openMintSecret } from '../../support/open-mint-secret.ts';

const transactionId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const otherTransactionId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const keyring = createKeyring(new Uint8Array(32).fill(42));
const mint = keyring.mint(transactionId);
const creator = createKeyPair(new Uint8Array(32).fill(1));
const stranger = createKeyPair(new Uint8Array(32).fill(2));
const secret = {
  secretKey: mint.secretKey,
  creator: creator.address,
  envelopeSeed: keyring.mintSecretEnvelope(transactionId),
};

describe("the mint's secret key", () => {
  test('is opened with the wallet of the creator, and gives the mint address', async () => {
    const opened = await openMintSecret(sealMintSecret(secret), creator.secretKey);
    expect(opened).toEqual(mint.secretKey);
    expect(Keypair.fromSecretKey(opened).publicKey.toBase58()).toBe(mint.address);
  });

  test('stays closed to another wallet', async () => {
    await expect(openMintSecret(sealMintSecret(secret), stranger.secretKey)).rejects.toThrow();
  });

  test('stays closed when one byte of the envelope was changed', async () => {
    const sealed = sealMintSecret(secret);
    const at = Math.floor(sealed.length * 0.8);
    const changed = sealed.with(at, sealed[at] === 65 ? 66 : 65);
    await expect(openMintSecret(changed, creator.secretKey)).rejects.toThrow();
  });

  test('is a compact JWE in ASCII that names its algorithms and holds no private key', async () => {
    const text = Buffer.from(sealMintSecret(secret)).toString('latin1');
    expect(text).toMatch(/^[\w-]+\.\.[\w-]{16}\.[\w-]{86}\.[\w-]{22}$/);
    expect(decodeProtectedHeader(text)).toEqual({
      alg: 'ECDH-ES',
      enc: 'A256GCM',
      epk: { kty: 'OKP', crv: 'X25519', x: expect.any(String) },
    });
  });

  test('never uses an ephemeral key or initialization vector for two different envelopes', () => {
    const envelopes = [
      sealMintSecret(secret),
      sealMintSecret({ ...secret, creator: stranger.address }),
      sealMintSecret({ ...secret, secretKey: stranger.secretKey }),
      sealMintSecret({ ...secret, envelopeSeed: keyring.mintSecretEnvelope(otherTransactionId) }),
    ];
    const texts = envelopes.map((bytes) => Buffer.from(bytes).toString('ascii').split('.'));
    for (const part of [0, 2, 3]) expect(new Set(texts.map((parts) => parts[part])).size).toBe(4);
  });

  test('is not sealed for addresses that nobody holds the key of', () => {
    for (const encoding of smallOrderEncodings()) {
      expect(() => sealMintSecret({ ...secret, creator: addressOf(encoding) })).toThrow(TypeError);
    }
    expect(() => sealMintSecret({ ...secret, creator: 'nobody' })).toThrow(TypeError);
  });
});
