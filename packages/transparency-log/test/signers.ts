/** Keys of logs and witnesses, by number. */
import { ed25519 } from '@noble/curves/ed25519.js';
import type { LogSigner } from '../src/index.ts';

export function signerOf(number: number): LogSigner {
  const seed = new Uint8Array(32).fill(number);
  return { publicKey: ed25519.getPublicKey(seed), sign: (message) => ed25519.sign(message, seed) };
}
