/** What is done with bytes everywhere: comparing, naming, hashing, and writing them as base58. */
import { createHash } from 'node:crypto';

const ALPHABET = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
/** As many digits as a product with a 16-bit number leaves exact in a double. */
const DIGITS_PER_LIMB = 5;
const LIMB = 58 ** DIGITS_PER_LIMB;
const NO_DIGIT = 255;
/** By character code. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (const [digit, code] of ALPHABET.entries()) DIGITS[code] = digit;

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

/**
 * Undefined when the text is not base58. Reads five digits at a time, for the same reason. Takes quadratic time: limit the
 * length of what strangers send.
 */
export function fromBase58(text: string): Uint8Array | undefined {
  let zeros = 0;
  while (zeros < text.length && text.charCodeAt(zeros) === ALPHABET[0]) zeros += 1;
  // Least significant first, 16 bits each.
  const limbs: number[] = [];
  for (let index = zeros; index < text.length; ) {
    const end = index + ((text.length - index) % DIGITS_PER_LIMB || DIGITS_PER_LIMB);
    let carry = 0;
    let factor = 1;
    for (; index < end; index += 1) {
      const digit = DIGITS[text.charCodeAt(index)] ?? NO_DIGIT;
      if (digit === NO_DIGIT) return undefined;
      carry = carry * 58 + digit;
      factor *= 58;
    }
    for (let place = 0; place < limbs.length; place += 1) {
      const value = (limbs[place] ?? 0) * factor + carry;
      carry = Math.floor(value / 0x10000);
      limbs[place] = value - carry * 0x10000;
    }
    for (; carry > 0; carry = Math.floor(carry / 0x10000)) limbs.push(carry % 0x10000);
  }
  const isTopHalfEmpty = (limbs.at(-1) ?? 0) < 0x100;
  const bytes = new Uint8Array(zeros + 2 * limbs.length - (limbs.length > 0 && isTopHalfEmpty ? 1 : 0));
  let at = bytes.length;
  for (const limb of limbs) {
    bytes[--at] = limb;
    if (at > zeros) bytes[--at] = limb >>> 8;
  }
  return bytes;
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
