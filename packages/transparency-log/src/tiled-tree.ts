/** Roots and proofs of a log from its tiles: each reads a few tiles, however long the log is. */
import { HASH_SIZE, isPowerOfTwo, largestPowerOfTwoBelow, nodeHash, rootOf } from './merkle-tree.ts';
import { TILE_WIDTH, tileWidth } from './tiles.ts';

/**
 * Reads the first `width` hashes of a tile, 32 bytes each. Rejects if they cannot be read. A caller with untrusted
 * tiles must check them against a root.
 */
export type ReadTile = (level: number, index: number, width: number) => Promise<Uint8Array>;

export interface TiledTree {
  /** Root of the first `size` entries. */
  root(size: number): Promise<Uint8Array>;
  /** Hashes from an entry's leaf to the root of the first `size` entries, nearest first. */
  inclusion(index: number, size: number): Promise<readonly Uint8Array[]>;
  /** Proof that the first `from` entries are a prefix of the tree of `size` (RFC 6962, section 2.1.2). */
  consistency(from: number, size: number): Promise<readonly Uint8Array[]>;
}

const TILE_HEIGHT = 8;

/** Reads the tiles of a log with at least `available` entries. */
export function tiledTree(readTile: ReadTile, available: number): TiledTree {
  /** Root over the entries from `from` to before `to`, which must be a node of the tree or split into nodes. */
  async function hashOf(from: number, to: number): Promise<Uint8Array> {
    const count = to - from;
    if (!isPowerOfTwo(count)) {
      const split = from + largestPowerOfTwoBelow(count);
      return nodeHash(await hashOf(from, split), await hashOf(split, to));
    }
    const level = Math.floor(Math.log2(count) / TILE_HEIGHT);
    const first = from / TILE_WIDTH ** level;
    const hashes = count / TILE_WIDTH ** level;
    const index = Math.floor(first / TILE_WIDTH);
    const at = first % TILE_WIDTH;
    const width = tileWidth(level, index, available);
    const tile = await readTile(level, index, width);
    if (at + hashes > width || tile.length !== width * HASH_SIZE)
      throw new RangeError(`tile ${index} of level ${level} has an unexpected number of hashes`);
    return rootOf(
      Array.from({ length: hashes }, (_, next) =>
        tile.subarray((at + next) * HASH_SIZE, (at + next + 1) * HASH_SIZE),
      ),
    );
  }

  async function inclusion(index: number, from: number, to: number): Promise<readonly Uint8Array[]> {
    if (to - from === 1) return [];
    const split = from + largestPowerOfTwoBelow(to - from);
    return index < split
      ? [...(await inclusion(index, from, split)), await hashOf(split, to)]
      : [...(await inclusion(index, split, to)), await hashOf(from, split)];
  }

  async function consistency(
    until: number,
    from: number,
    to: number,
    isWhole: boolean,
  ): Promise<readonly Uint8Array[]> {
    if (until === to) return isWhole ? [] : [await hashOf(from, to)];
    const split = from + largestPowerOfTwoBelow(to - from);
    return until <= split
      ? [...(await consistency(until, from, split, isWhole)), await hashOf(split, to)]
      : [...(await consistency(until, split, to, false)), await hashOf(from, split)];
  }

  function requireWithin(size: number): void {
    if (!Number.isSafeInteger(size) || size < 0 || size > available)
      throw new RangeError(`a tree of ${size} entries is out of range (${available} entries in the log)`);
  }

  return {
    async root(size) {
      requireWithin(size);
      return size === 0 ? rootOf([]) : hashOf(0, size);
    },
    async inclusion(index, size) {
      requireWithin(size);
      if (!Number.isSafeInteger(index) || index < 0 || index >= size)
        throw new RangeError(`entry index ${index} is out of range (${size} entries)`);
      return inclusion(index, 0, size);
    },
    async consistency(from, size) {
      requireWithin(size);
      if (!Number.isSafeInteger(from) || from < 0 || from > size)
        throw new RangeError(`a tree of ${size} entries does not extend a tree of ${from}`);
      return from === 0 ? [] : consistency(from, 0, size, true);
    },
  };
}
