/** Decides which addresses can belong to a wallet: keys that have a secret and whose signatures cannot be forged. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { isSmallOrderEncoding } from 'levy-solana-wire';
import { LRUCache } from 'lru-cache';

export { parseAddress } from 'levy-solana-wire';

/** Cached results, because every step of a flow checks the wallet, and a check is a full multiplication on the curve. */
const judged = new LRUCache<string, boolean>({ max: 10_000 });

/**
 * True if the bytes are the public key of an ordinary wallet: a canonical encoding of a point in the prime-order subgroup, not
 * the identity. Program-derived addresses (multisig vaults) are not. Takes about a millisecond, unless the key is among the
 * last 10,000 that were checked. Some OpenSSL versions accept one forged signature for the identity key on every message;
 * standard key generation never produces a key with a torsion component.
 */
export function isWalletKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  const key = Buffer.from(bytes).toString('latin1');
  const known = judged.get(key);
  if (known !== undefined) return known;
  const isKey = !isSmallOrderEncoding(bytes) && isInPrimeOrderSubgroup(bytes);
  judged.set(key, isKey);
  return isKey;
}

function isInPrimeOrderSubgroup(bytes: Uint8Array): boolean {
  try {
    // ZIP 215 mode is off, so that non-canonical encodings are refused.
    return ed25519.Point.fromHex(bytes, false).isTorsionFree();
  } catch {
    return false;
  }
}
