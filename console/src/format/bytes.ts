/** Encodings of bytes: base58 and base64. */
import bs58 from 'bs58';

export const base58 = (bytes: Uint8Array): string => bs58.encode(bytes);

export const fromBase64Bytes = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

export const toBase64Bytes = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
