/** Bytes as text and back, without what Node alone has. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

export { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const HEX = /^(?:[0-9a-f]{2})*$/;

export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** Undefined for anything but pairs of lower-case digits. */
export function fromHex(text: string): Uint8Array | undefined {
  return HEX.test(text) ? hexToBytes(text) : undefined;
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Undefined for anything but standard base64 with padding. */
export function fromBase64(text: string): Uint8Array | undefined {
  let decoded: string;
  try {
    decoded = atob(text);
  } catch {
    return undefined;
  }
  // `atob` passes over blanks and missing padding, so that a note could be written in many ways.
  if (btoa(decoded) !== text) return undefined;
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}

/** A mark at the beginning is part of the text: it is part of what is signed. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
