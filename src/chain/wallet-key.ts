/** Decides which addresses can belong to a wallet: keys that have a secret and whose signatures cannot be forged. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { isSmallOrderEncoding } from 'levy-solana-wire';

export { parseAddress } from 'levy-solana-wire';

/**
 * Whether the bytes are the public key of an ordinary wallet: a canonical encoding of a point in the prime-order
 * subgroup, not the identity. Program-derived addresses (multisig vaults) are not. Takes about a millisecond.
 *
 * OpenSSL accepts one forged signature for the identity key on every message; standard key generation never
 * makes a key with a torsion component.
 */
export function isWalletKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 32 || isSmallOrderEncoding(bytes)) return false;
  try {
    // ZIP 215 mode is off, so that non-canonical encodings are refused.
    return ed25519.Point.fromHex(bytes, false).isTorsionFree();
  } catch {
    return false;
  }
}
