/** Blocks of ranks: a bit for each rank, set while the document that has the rank is not in the list. */

/** Ranks in a block. */
export const BLOCK_RANKS = 32_768;

export type Bits = Uint8Array;

export function emptyBits(): Bits {
  return new Uint8Array(BLOCK_RANKS / 8);
}

/** Whether this changed the bit. */
export function setMissing(bits: Bits, index: number, missing: boolean): boolean {
  const before = bits[index >> 3] ?? 0;
  const mask = 1 << (index & 7);
  const after = missing ? before | mask : before & ~mask;
  bits[index >> 3] = after;
  return after !== before;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0;
  for (let left = byte; left > 0; left >>= 1) ones += left & 1;
  return ones;
});

export function countMissing(bits: Bits): number {
  let count = 0;
  for (const byte of bits) count += ONES[byte] ?? 0;
  return count;
}

/** The index of the listed rank that has `before` listed ones below it in the block; -1 if there are not so many. */
export function listedIndex(bits: Bits, before: number): number {
  let left = before;
  for (let at = 0; at < bits.length; at += 1) {
    const byte = bits[at] ?? 0;
    const listed = 8 - (ONES[byte] ?? 0);
    if (left >= listed) {
      left -= listed;
      continue;
    }
    for (let bit = 0; bit < 8; bit += 1) {
      if ((byte & (1 << bit)) !== 0) continue;
      if (left === 0) return at * 8 + bit;
      left -= 1;
    }
  }
  return -1;
}
