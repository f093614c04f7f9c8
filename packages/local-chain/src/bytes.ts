/** The two encodings that everything on the chain is named and derived by: base58 and SHA-256. */
import { createHash } from 'node:crypto';
import bs58 from 'bs58';

export function sha256(...parts: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function base58(bytes: Uint8Array): string {
  return bs58.encode(bytes);
}

/** Undefined when the text is not base58. */
export function fromBase58(text: string): Uint8Array | undefined {
  return bs58.decodeUnsafe(text);
}

/** The 32 bytes of an address; undefined for any other text. */
export function parseAddress(text: string): Uint8Array | undefined {
  // Base58 takes quadratic time: a long text is not even tried.
  const bytes = text.length > 44 ? undefined : fromBase58(text);
  return bytes?.length === 32 ? bytes : undefined;
}

/** The key of a map whose keys are bytes. */
export function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
