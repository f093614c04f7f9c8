/** Where in a list an offset is: counted over the blocks, without reading any but the one that it falls into. Pure. */
import { blockField, type ListHeader } from './layout.ts';
import { type Bits, BLOCK_RANKS, listedIndex } from './rank-bitmap.ts';

/** The listed document with `before` listed ones below it in the block. */
export interface Spot {
  readonly block: number;
  readonly before: number;
  readonly ranks: number;
  readonly hasGaps: boolean;
}

/** The offset counts from the newest, and must be below the total. */
export function spotOf({ next, blocks }: Pick<ListHeader, 'next' | 'blocks'>, offset: number): Spot {
  let left = offset;
  for (let block = Math.floor((next - 1) / BLOCK_RANKS); ; block -= 1) {
    const ranks = Math.min(BLOCK_RANKS, next - block * BLOCK_RANKS);
    const missing = blocks[blockField(block)] ?? 0;
    const listed = ranks - missing;
    if (left < listed || block === 0)
      return { block, before: listed - 1 - left, ranks, hasGaps: missing > 0 };
    left -= listed;
  }
}

/**
 * The rank, given the bits of the block if it has gaps. Where these are of another moment than the counts, the end of
 * the block stands in for it.
 */
export function rankOf(
  { block, before, ranks, hasGaps }: Spot,
  bits: Bits | undefined,
  otherwise: 'lowest' | 'highest',
): number {
  const first = block * BLOCK_RANKS;
  if (!hasGaps) return first + before;
  const index = bits === undefined ? -1 : listedIndex(bits, before);
  if (index >= 0 && index < ranks) return first + index;
  return otherwise === 'lowest' ? first : first + ranks - 1;
}
