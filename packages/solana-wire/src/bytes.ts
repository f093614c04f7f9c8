/** What is done with bytes everywhere: comparing, naming, hashing, and writing them as base58. */
import { createHash } from 'node:crypto';
import bs58 from 'bs58';

export function base58(bytes: Uint8Array): string {
  return bs58.encode(bytes);
}

/** Undefined when the text is not base58. Takes quadratic time: limit the length of what strangers send. */
export function fromBase58(text: string): Uint8Array | undefined {
  return bs58.decodeUnsafe(text);
}

/** The key of a map or set whose keys are bytes. */
export function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

export function sha256(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
