/** Base58 addresses and their 32 bytes. */
import { base58, fromBase58 } from './bytes.ts';
import * as programIds from './program-ids.ts';

export const ADDRESS_SIZE = 32;

/** Decodes an address; undefined for any other text. Different texts give different bytes. */
export function parseAddress(text: string): Uint8Array | undefined {
  // Base58 decoding takes quadratic time, so long texts are refused first.
  if (text.length < 32 || text.length > 44) return undefined;
  const bytes = fromBase58(text);
  return bytes?.length === ADDRESS_SIZE ? bytes : undefined;
}

/** Decoded addresses that almost every instruction contains. */
const wellKnown: ReadonlyMap<string, Uint8Array> = new Map(
  Object.values(programIds).map((address) => [address, requireAddress(address, parseAddress(address))]),
);

/** Decodes a text that must be an address; throws a TypeError for any other text. */
export function addressBytes(address: string): Uint8Array {
  return requireAddress(address, wellKnown.get(address) ?? parseAddress(address));
}

/** Encodes 32 bytes as an address; throws a TypeError for any other length. */
export function addressOf(bytes: Uint8Array): string {
  if (bytes.length !== ADDRESS_SIZE)
    throw new TypeError(`an address must have 32 bytes, not ${bytes.length}`);
  return base58(bytes);
}

function requireAddress(text: string, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new TypeError(`not an address: ${text.slice(0, 64)}`);
  return bytes;
}
