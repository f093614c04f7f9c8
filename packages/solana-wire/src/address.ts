/** Base58 addresses and the 32 bytes that they stand for. */
import { base58, fromBase58 } from './bytes.ts';
import * as programIds from './program-ids.ts';

export const ADDRESS_SIZE = 32;

/** The 32 bytes of an address, or undefined for any other text. No two texts give the same bytes. */
export function parseAddress(text: string): Uint8Array | undefined {
  // Base58 decoding takes quadratic time: never let it see a long text.
  if (text.length < 32 || text.length > 44) return undefined;
  const bytes = fromBase58(text);
  return bytes?.length === ADDRESS_SIZE ? bytes : undefined;
}

/** Almost every instruction names some of these; they are not decoded again each time. */
const wellKnown: ReadonlyMap<string, Uint8Array> = new Map(
  Object.values(programIds).map((address) => [address, requireAddress(address, parseAddress(address))]),
);

/** The 32 bytes of an address that is known to be one; throws a TypeError for any other text. */
export function addressBytes(address: string): Uint8Array {
  return requireAddress(address, wellKnown.get(address) ?? parseAddress(address));
}

/** The address of 32 bytes; throws a TypeError for any other length. */
export function addressOf(bytes: Uint8Array): string {
  if (bytes.length !== ADDRESS_SIZE) throw new TypeError(`an address has 32 bytes, not ${bytes.length}`);
  return base58(bytes);
}

function requireAddress(text: string, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new TypeError(`not an address: ${text.slice(0, 64)}`);
  return bytes;
}
