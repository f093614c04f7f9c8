/** Growing tree of a log: adds entries one by one, returns full tiles, and stores the rest. */
import { concatBytes } from './bytes.ts';
import { leafHash, rootOf } from './merkle-tree.ts';
import { entryBundle, TILE_WIDTH, tilePath } from './tiles.ts';

/** Full tile, or full bundle of entries; it never changes. */
export interface FullTile {
  /** Path below the log's address, such as `tile/0/000`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface TreeEnd {
  readonly size: number;
  /** Entries after the last full bundle. */
  readonly entries: readonly Uint8Array[];
  /** Hashes after the last full tile of each level, from level 1 on. */
  readonly upper: readonly (readonly Uint8Array[])[];
}

export interface GrowingTree {
  size(): number;
  root(): Uint8Array;
  /** Returns the tiles that the entry completed, its bundle first. */
  add(entry: Uint8Array): readonly FullTile[];
  end(): TreeEnd;
}

export const EMPTY_END: TreeEnd = { size: 0, entries: [], upper: [] };

export function createGrowingTree(begin: TreeEnd = EMPTY_END): GrowingTree {
  let { size } = begin;
  let entries = [...begin.entries];
  const levels: Uint8Array[][] = [entries.map(leafHash), ...begin.upper.map((hashes) => [...hashes])];

  function push(level: number, hash: Uint8Array, index: number, filled: FullTile[]): void {
    const hashes = levels[level] ?? [];
    levels[level] = hashes;
    hashes.push(hash);
    if (hashes.length < TILE_WIDTH) return;
    const place = { level, index: Math.floor(index / TILE_WIDTH), width: TILE_WIDTH };
    filled.push({ name: tileName(tilePath(place)), bytes: concatBytes(...hashes) });
    levels[level] = [];
    push(level + 1, rootOf(hashes), place.index, filled);
  }

  return {
    size: () => size,
    root() {
      let below: Uint8Array | undefined;
      for (const hashes of levels) {
        const all = below === undefined ? hashes : [...hashes, below];
        if (all.length > 0) below = rootOf(all);
      }
      return below ?? rootOf([]);
    },
    add(entry) {
      const filled: FullTile[] = [];
      const index = size;
      size += 1;
      entries.push(entry);
      if (entries.length === TILE_WIDTH) {
        const bundle = {
          level: 'entries',
          index: Math.floor(index / TILE_WIDTH),
          width: TILE_WIDTH,
        } as const;
        filled.push({ name: tileName(tilePath(bundle)), bytes: entryBundle(entries) });
        entries = [];
      }
      push(0, leafHash(entry), index, filled);
      return filled;
    },
    end: () => ({ size, entries: [...entries], upper: levels.slice(1).map((hashes) => [...hashes]) }),
  };
}

/** Path of a tile below the log's address. */
export function tileName(path: string): string {
  return `tile/${path}`;
}
