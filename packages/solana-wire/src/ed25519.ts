/**
 * Ed25519 with node:crypto, 10 to 18 times as fast as web3.js (`npm run bench -- wire`), and as strict as a Solana
 * validator.
 */
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { keyOf } from './bytes.ts';

const PUBLIC_KEY_SIZE = 32;
export const SIGNATURE_SIZE = 64;
/** Encoding of a small-order point, which is not the public key of any seed. */
const NO_PUBLIC_KEY = new Uint8Array(PUBLIC_KEY_SIZE);

/** All encodings of the eight small-order points, including the non-canonical ones. */
const SMALL_ORDER_ENCODINGS: ReadonlySet<string> = new Set(
  [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ].flatMap((encoding) => {
    const bytes = Buffer.from(encoding, 'hex');
    const plain = keyOf(bytes);
    bytes[31] = (bytes[31] ?? 0) | 0x80;
    return [plain, keyOf(bytes)];
  }),
);

/** Number of cached keys. Importing a key takes a third of the time of a verification, and most keys recur. */
const REMEMBERED_KEYS = 1_000;
const rememberedKeys = new Map<string, KeyObject>();

/** True if the bytes encode a small-order point, for which anybody can forge signatures. */
export function isSmallOrderEncoding(bytes: Uint8Array): boolean {
  return SMALL_ORDER_ENCODINGS.has(keyOf(bytes));
}

/**
 * True if `signature` (64 bytes) is the signature of `message` by `publicKey` (32 bytes). Like validators, and unlike
 * OpenSSL alone, it rejects small-order keys and commitments. Never throws.
 */
export function verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== PUBLIC_KEY_SIZE || signature.length !== SIGNATURE_SIZE) return false;
  if (isSmallOrderEncoding(publicKey) || isSmallOrderEncoding(signature.subarray(0, 32))) return false;
  return verifyBytes(null, message, importPublicKey(publicKey), signature);
}

export function sign(privateKey: KeyObject, message: Uint8Array): Uint8Array {
  return signBytes(null, message, privateKey);
}

export interface ImportedKeyPair {
  readonly privateKey: KeyObject;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** Derives the key pair of an Ed25519 seed (32 bytes). */
export function importSeed(seed: Uint8Array): ImportedKeyPair {
  return importBySeedAlone(seed) ?? importWithBoth(seed, ed25519.getPublicKey(seed));
}

/**
 * Imports a seed with a dummy public key: a private JWK must contain one, but OpenSSL ignores it and computes the key
 * itself, in a quarter of the time of JavaScript. Undefined if the platform checks the given key.
 */
function importBySeedAlone(seed: Uint8Array): ImportedKeyPair | undefined {
  try {
    const { privateKey } = importWithBoth(seed, NO_PUBLIC_KEY);
    const publicKey = new Uint8Array(Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
    return Buffer.compare(publicKey, NO_PUBLIC_KEY) === 0 ? undefined : { privateKey, publicKey };
  } catch {
    return undefined;
  }
}

/** Imports a JWK, which takes a tenth of the time of importing DER. */
function importWithBoth(seed: Uint8Array, publicKey: Uint8Array): ImportedKeyPair {
  const privateKey = createPrivateKey({
    key: { kty: 'OKP', crv: 'Ed25519', d: base64url(seed), x: base64url(publicKey) },
    format: 'jwk',
  });
  return { privateKey, publicKey };
}

function importPublicKey(publicKey: Uint8Array): KeyObject {
  const name = keyOf(publicKey);
  const remembered = rememberedKeys.get(name);
  if (remembered !== undefined) return remembered;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: base64url(publicKey) };
  const imported = createPublicKey({ key: jwk, format: 'jwk' });
  if (rememberedKeys.size >= REMEMBERED_KEYS) rememberedKeys.clear();
  rememberedKeys.set(name, imported);
  return imported;
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url');
}
