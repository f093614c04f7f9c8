/** What is done with bytes everywhere: comparing, naming, hashing, and writing them as base58. */
import { createHash } from 'node:crypto';
import bs58 from 'bs58';

const ALPHABET = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
/** As many digits as a product with a 16-bit number leaves exact in a double. */
const DIGITS_PER_LIMB = 5;
const LIMB = 58 ** DIGITS_PER_LIMB;

/** Several times as fast as bs58, which carries one digit at a time: scans write an address for each holder. */
export function base58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1;
  // Least significant limb first.
  const limbs: number[] = [];
  let index = zeros;
  if ((bytes.length - zeros) % 2 === 1) limbs.push(bytes[index++] ?? 0);
  for (; index < bytes.length; index += 2) {
    let carry = (bytes[index] ?? 0) * 0x100 + (bytes[index + 1] ?? 0);
    for (let place = 0; place < limbs.length; place += 1) {
      const value = (limbs[place] ?? 0) * 0x10000 + carry;
      carry = Math.floor(value / LIMB);
      limbs[place] = value - carry * LIMB;
    }
    if (carry > 0) limbs.push(carry);
  }
  return textOf(limbs, zeros);
}

function textOf(limbs: readonly number[], zeros: number): string {
  const text = Buffer.alloc(zeros + limbs.length * DIGITS_PER_LIMB, ALPHABET[0]);
  let end = text.length;
  for (const limb of limbs) {
    let rest = limb;
    for (let place = end - 1; place >= end - DIGITS_PER_LIMB; place -= 1) {
      const higher = Math.floor(rest / 58);
      text[place] = ALPHABET[rest - higher * 58] ?? 0;
      rest = higher;
    }
    end -= DIGITS_PER_LIMB;
  }
  // The highest limb is rarely full: only the digits for leading zero bytes stay in front.
  let start = zeros;
  while (start < text.length && text[start] === ALPHABET[0]) start += 1;
  return text.toString('latin1', start - zeros);
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
