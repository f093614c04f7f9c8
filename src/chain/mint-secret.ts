/** Encrypts a mint's secret key so that only the holder of its creator's wallet key can open it. */
import { hkdfSync, webcrypto } from 'node:crypto';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { CompactEncrypt } from 'jose';
import { addressBytes } from 'levy-solana-wire';
import { isWalletKey } from './wallet-key.ts';

/**
 * The ASCII bytes of a compact JWE (ECDH-ES on X25519, A256GCM). Its plaintext is the raw `secretKey`; it is encrypted
 * for the creator's Ed25519 wallet key, converted to X25519. The same input gives the same bytes, so an answer can be
 * given again without storing it. Throws a TypeError if the creator's address is not a wallet key.
 */
export async function sealMintSecret(secret: {
  /** 64 bytes. */
  readonly secretKey: Uint8Array;
  /** Address of the creator's wallet. */
  readonly creator: string;
  /** 32 secret bytes, used for this mint only. */
  readonly envelopeSeed: Uint8Array;
}): Promise<number[]> {
  const wallet = addressBytes(secret.creator);
  if (!isWalletKey(wallet)) throw new TypeError(`not a wallet key: ${secret.creator}`);
  // Ephemeral key and initialization vector depend on the plaintext and the recipient, as if drawn at random for each:
  // two different envelopes must never share them.
  const salt = Buffer.concat([wallet, secret.secretKey]);
  const derive = (what: string, size: number) =>
    new Uint8Array(hkdfSync('sha256', secret.envelopeSeed, salt, `levy/v1/envelope/${what}`, size));
  const jwe = await new CompactEncrypt(secret.secretKey)
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
    .setKeyManagementParameters({ epk: await importX25519(derive('ephemeral-key', 32)) })
    .setInitializationVector(derive('initialization-vector', 12))
    .encrypt({ kty: 'OKP', crv: 'X25519', x: base64url(ed25519.utils.toMontgomery(wallet)) });
  return [...Buffer.from(jwe, 'ascii')];
}

function importX25519(secret: Uint8Array): Promise<webcrypto.CryptoKey> {
  const jwk = { kty: 'OKP', crv: 'X25519', d: base64url(secret), x: base64url(x25519.getPublicKey(secret)) };
  // jose reads the public half for the header from the key, so the key must be extractable.
  return webcrypto.subtle.importKey('jwk', jwk, { name: 'X25519' }, true, ['deriveBits']);
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
