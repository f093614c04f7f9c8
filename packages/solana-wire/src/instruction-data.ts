/** The pieces that instruction data are made of, in the encoding of the Solana programs. */
import { ADDRESS_SIZE, addressBytes } from './address.ts';

/** Little-endian; throws a RangeError for what does not fit in `size` bytes, where a DataView would wrap around. */
export function unsigned(value: number | bigint, size: 1 | 2 | 4 | 8): Uint8Array {
  const exact = BigInt(value);
  if (exact < 0n || exact >> BigInt(8 * size) !== 0n) throw new RangeError(`${value} is not a u${8 * size}`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, exact, true);
  return bytes.subarray(0, size);
}

/** An address or none, told apart by a leading byte. */
export function option(address: string | null): Uint8Array {
  return address === null ? Uint8Array.of(0) : joined([Uint8Array.of(1), addressBytes(address)]);
}

/** An address or none, where zeros mean none. */
export function nonZero(address: string | null): Uint8Array {
  return address === null ? new Uint8Array(ADDRESS_SIZE) : addressBytes(address);
}

/** UTF-8 after its length in four bytes. */
export function lengthPrefixed(text: string): Uint8Array {
  const utf8 = Buffer.from(text);
  return joined([unsigned(utf8.length, 4), utf8]);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
