/** Conversions between bytes and text that work in Node and in browsers. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

export { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const HEX = /^(?:[0-9a-f]{2})*$/;

export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** Undefined unless the text consists of pairs of lower-case hexadecimal digits. */
export function fromHex(text: string): Uint8Array | undefined {
  return HEX.test(text) ? hexToBytes(text) : undefined;
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Undefined unless the text is standard base64 with padding. */
export function fromBase64(text: string): Uint8Array | undefined {
  let decoded: string;
  try {
    decoded = atob(text);
  } catch {
    return undefined;
  }
  // `atob` accepts blanks and missing padding, so one note could have several texts.
  if (btoa(decoded) !== text) return undefined;
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}

/** A byte order mark is part of the text, because it is part of the signed bytes. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
