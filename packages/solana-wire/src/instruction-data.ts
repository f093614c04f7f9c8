/** Encoders for parts of instruction data, in the encoding of the Solana programs. */

/** Maximum amount in an instruction or an account. */
export const U64_MAX = 2n ** 64n - 1n;

/** Little-endian; throws a RangeError for values that do not fit into `size` bytes, which a DataView would wrap around. */
export function unsigned(value: number | bigint, size: 1 | 2 | 4 | 8): Uint8Array {
  const exact = BigInt(value);
  if (exact < 0n || exact >> BigInt(8 * size) !== 0n) throw new RangeError(`${value} must be a u${8 * size}`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, exact, true);
  return bytes.subarray(0, size);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
