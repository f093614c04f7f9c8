/** Decodes bytes that clients send as text, and names the encoding of text that cannot be decoded. */
import { type DecodedTransaction, decodeLegacyTransaction } from 'levy-solana-wire';

/** Minimum length of a recognizable text; shorter text fits too many encodings. */
const MIN_RECOGNIZED = 64;

/** Decodes a transaction in base64: either alphabet, padded or not, with or without line breaks. Never throws. */
export function decodeSentTransaction(text: string): DecodedTransaction {
  const digits = text.replace(/\s+/g, '').replace(/={1,2}$/, '');
  const recognized = recognizedEncoding(text);
  const named = recognized === undefined || recognized === 'base64' ? '' : `; it looks like ${recognized}`;
  if (!/^[A-Za-z0-9+/_-]*$/.test(digits) || digits.length % 4 === 1) {
    return { ok: false, problem: 'malformed', reason: `it is not base64${named}` };
  }
  const decoded = decodeLegacyTransaction(new Uint8Array(Buffer.from(digits, 'base64')));
  // Any base58 or hexadecimal text is also valid base64, of other bytes.
  return decoded.ok || named === ''
    ? decoded
    : { ...decoded, problem: 'malformed', reason: `it is not base64${named}` };
}

/** Recognises an encoding by its characters; undefined for text that is short or of no known encoding. */
export function recognizedEncoding(text: string): 'hexadecimal' | 'base58' | 'base64' | 'JSON' | undefined {
  if (/^\s*[[{]/.test(text)) return 'JSON';
  if (text.length < MIN_RECOGNIZED) return undefined;
  // A run of zero bytes is the same in every encoding.
  const characters = new Set(text).size;
  if (/^(?:0x)?[0-9a-f]+$/i.test(text) && characters > 10) return 'hexadecimal';
  if (/^[1-9A-HJ-NP-Za-km-z]+$/.test(text) && characters > 20) return 'base58';
  return /^[A-Za-z0-9+/_=\s-]+$/.test(text) ? 'base64' : undefined;
}

/** Extracts the message of a transaction that the service has checked. */
export function messageIn(wireBase64: string): Uint8Array {
  const wire = Buffer.from(wireBase64, 'base64');
  return wire.subarray(1 + (wire[0] ?? 0) * 64);
}
