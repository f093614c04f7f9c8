/** Verifies a transaction's signatures as strictly as a validator: OpenSSL alone would take keys of small order. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { keyOf } from './bytes.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** Encodings of the points of small order, without their sign bit; anybody can sign for those. */
const SMALL_ORDER = new Set(
  [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ].map((encoding) => keyOf(Buffer.from(encoding, 'hex'))),
);

/** Importing a key takes a third of the time of verifying with it, and most keys come again. */
const REMEMBERED_KEYS = 1_000;
const keys = new Map<string, KeyObject>();

export function signaturesHold({ message, signatures }: WireTransaction): boolean {
  return signatures.every((signature, index) => {
    const key = message.staticKeys[index];
    if (key === undefined || isSmallOrder(key) || isSmallOrder(signature.subarray(0, 32))) return false;
    return verify(null, message.bytes, publicKey(key), signature);
  });
}

function isSmallOrder(encoding: Uint8Array): boolean {
  const unsigned = Uint8Array.from(encoding);
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return SMALL_ORDER.has(keyOf(unsigned));
}

function publicKey(bytes: Uint8Array): KeyObject {
  const name = keyOf(bytes);
  const known = keys.get(name);
  if (known !== undefined) return known;
  // JWK, because Node imports DER ten times slower.
  const x = Buffer.from(bytes).toString('base64url');
  const imported = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (keys.size >= REMEMBERED_KEYS) keys.clear();
  keys.set(name, imported);
  return imported;
}
