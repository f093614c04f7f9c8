/** The growing tree of a log: takes entries one by one, and keeps what does not fill a tile yet. */
import { leafHash, rootOf } from '../runtime/merkle-tree.ts';
import { entryBundle, numberPath, TILE_WIDTH, tilePath } from './tiles.ts';

/** Which event an entry is of, and where the event stood in its store when the notary first saw it. */
export interface IndexLine {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
}

export interface IndexedEntry extends IndexLine {
  /** 32 bytes. */
  readonly entry: Uint8Array;
}

/** Never changes once it is full. */
export interface FullFile {
  /** Within the log's folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface TreeEnd {
  readonly size: number;
  /** The entries behind the last full bundle. */
  readonly entries: readonly IndexedEntry[];
  /** The hashes behind the last full tile of each level, from level 1 on. */
  readonly upper: readonly (readonly Uint8Array[])[];
}

export interface LogTree {
  size(): number;
  root(): Uint8Array;
  /** Gives the files that it filled. */
  add(entry: IndexedEntry): readonly FullFile[];
  end(): TreeEnd;
  /** Notes where the event of an entry behind the last full bundle stands now. */
  relocate(index: number, position: string): void;
}

export const EMPTY_END: TreeEnd = { size: 0, entries: [], upper: [] };

export function createLogTree(begin: TreeEnd = EMPTY_END): LogTree {
  let { size } = begin;
  let entries = [...begin.entries];
  const levels: Uint8Array[][] = [
    entries.map(({ entry }) => leafHash(entry)),
    ...begin.upper.map((hashes) => [...hashes]),
  ];

  function push(level: number, hash: Uint8Array, index: number, filled: FullFile[]): void {
    const hashes = levels[level] ?? [];
    levels[level] = hashes;
    hashes.push(hash);
    if (hashes.length < TILE_WIDTH) return;
    const place = { level, index: Math.floor(index / TILE_WIDTH), width: TILE_WIDTH };
    filled.push({ name: tileName(tilePath(place)), bytes: Buffer.concat(hashes) });
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
      const filled: FullFile[] = [];
      const index = size;
      size += 1;
      entries.push(entry);
      if (entries.length === TILE_WIDTH) {
        const bundle = Math.floor(index / TILE_WIDTH);
        const place = { level: 'entries', index: bundle, width: TILE_WIDTH } as const;
        filled.push(
          { name: tileName(tilePath(place)), bytes: entryBundle(entries.map((each) => each.entry)) },
          { name: indexName(bundle), bytes: Buffer.from(indexText(entries, bundle * TILE_WIDTH)) },
        );
        entries = [];
      }
      push(0, leafHash(entry.entry), index, filled);
      return filled;
    },
    relocate(index, position) {
      const first = size - entries.length;
      entries = entries.map((entry, at) => (first + at === index ? { ...entry, position } : entry));
    },
    end: () => ({ size, entries: [...entries], upper: levels.slice(1).map((hashes) => [...hashes]) }),
  };
}

export function tileName(path: string): string {
  return `tile/${path}`;
}

export function indexName(index: number): string {
  return `index/${numberPath(index)}`;
}

/** A line of JSON for each entry. */
export function indexText(lines: readonly IndexLine[], first: number): string {
  return lines
    .map(({ id, stream, revision, position }, at) => {
      const line = { index: first + at, id, stream, revision, position };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}
