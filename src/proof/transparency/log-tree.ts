/** The growing tree of the service's log, with an index that says which event each entry is of. */
import { createGrowingTree, type FullTile, numberPath, TILE_WIDTH } from 'levy-transparency-log';

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
  /** Gives the tiles, bundles and pages of the index that it filled, by their names in the log's folder. */
  add(entry: IndexedEntry): readonly FullTile[];
  end(): TreeEnd;
  /** Notes where the event of an entry behind the last full bundle stands now. */
  relocate(index: number, position: string): void;
}

export const EMPTY_END: TreeEnd = { size: 0, entries: [], upper: [] };

export function createLogTree(begin: TreeEnd = EMPTY_END): LogTree {
  const tree = createGrowingTree({ ...begin, entries: begin.entries.map(({ entry }) => entry) });
  let lines = [...begin.entries];
  return {
    size: tree.size,
    root: tree.root,
    add(entry) {
      const [bundle, ...tiles] = tree.add(entry.entry);
      lines.push(entry);
      if (bundle === undefined) return [];
      const page = Math.floor((tree.size() - 1) / TILE_WIDTH);
      const text = indexText(lines, page * TILE_WIDTH);
      lines = [];
      return [bundle, { name: indexName(page), bytes: Buffer.from(text) }, ...tiles];
    },
    relocate(index, position) {
      const first = tree.size() - lines.length;
      lines = lines.map((line, at) => (first + at === index ? { ...line, position } : line));
    },
    end: () => ({ ...tree.end(), entries: [...lines] }),
  };
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
