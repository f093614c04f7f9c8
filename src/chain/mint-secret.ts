/** Encrypts a mint's secret key so that only the holder of its creator's wallet key can open it. */
import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { addressBytes } from 'levy-solana-wire';
import { LRUCache } from 'lru-cache';
import { isWalletKey } from './wallet-key.ts';

/** Prefix of the 32 bytes of a secret in PKCS #8, and of a public key in SPKI (RFC 8410). */
const PKCS8_X25519 = Buffer.from('302e020100300506032b656e04220420', 'hex');
const SPKI_X25519 = Buffer.from('302a300506032b656e032100', 'hex');
const CONTENT_KEY_BYTES = 32;

/** Cache of recipients' converted keys: the conversion is curve arithmetic in JavaScript. */
const converted = new LRUCache<string, KeyObject>({ max: 1_000 });

/**
 * ASCII bytes of a compact JWE (ECDH-ES on X25519, A256GCM). Its plaintext is the raw `secretKey`; it is encrypted for the
 * creator's Ed25519 wallet key, converted to X25519. Deterministic, so a response can be repeated without storing it. Throws a
 * TypeError if the creator's address is not a wallet key.
 */
export function sealMintSecret(secret: {
  /** 64 bytes. */
  readonly secretKey: Uint8Array;
  /** Address of the creator's wallet. */
  readonly creator: string;
  /** 32 secret bytes, used for this mint only. */
  readonly envelopeSeed: Uint8Array;
}): number[] {
  const wallet = addressBytes(secret.creator);
  if (!isWalletKey(wallet)) throw new TypeError(`not a wallet key: ${secret.creator}`);
  // Ephemeral key and initialization vector depend on plaintext and recipient, because two different envelopes must not share them.
  const salt = Buffer.concat([wallet, secret.secretKey]);
  const derive = (what: string, size: number) =>
    new Uint8Array(hkdfSync('sha256', secret.envelopeSeed, salt, `levy/v1/envelope/${what}`, size));
  const ephemeral = x25519Secret(derive('ephemeral-key', 32));
  const epk = { x: base64url(publicBytes(ephemeral)), crv: 'X25519', kty: 'OKP' };
  const header = base64url(JSON.stringify({ alg: 'ECDH-ES', enc: 'A256GCM', epk }));
  const key = contentKey(diffieHellman({ privateKey: ephemeral, publicKey: recipientOf(wallet) }));
  const vector = derive('initialization-vector', 12);
  const cipher = createCipheriv('aes-256-gcm', key, vector).setAAD(Buffer.from(header, 'ascii'));
  const text = Buffer.concat([cipher.update(secret.secretKey), cipher.final()]);
  const parts = [header, '', base64url(vector), base64url(text), base64url(cipher.getAuthTag())];
  return [...Buffer.from(parts.join('.'), 'ascii')];
}

function recipientOf(wallet: Uint8Array): KeyObject {
  const name = Buffer.from(wallet).toString('latin1');
  const known = converted.get(name);
  if (known !== undefined) return known;
  const document = Buffer.concat([SPKI_X25519, ed25519.utils.toMontgomery(wallet)]);
  const key = createPublicKey({ key: document, format: 'der', type: 'spki' });
  converted.set(name, key);
  return key;
}

function x25519Secret(secret: Uint8Array): KeyObject {
  const document = Buffer.concat([PKCS8_X25519, secret]);
  return createPrivateKey({ key: document, format: 'der', type: 'pkcs8' });
}

function publicBytes(secret: KeyObject): Uint8Array {
  return createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(SPKI_X25519.length);
}

/** Concat KDF without party names (RFC 7518, 4.6.2): one round of SHA-256 yields the whole key. */
function contentKey(shared: Uint8Array): Uint8Array {
  const algorithm = Buffer.from('A256GCM', 'ascii');
  return createHash('sha256')
    .update(uint32(1))
    .update(shared)
    .update(uint32(algorithm.length))
    .update(algorithm)
    .update(uint32(0))
    .update(uint32(0))
    .update(uint32(CONTENT_KEY_BYTES * 8))
    .digest();
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function base64url(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString('base64url');
}
