/** Growing tree of the service's transparency log, with an index of the event of each entry. */
import { createGrowingTree, type FullTile, numberPath, TILE_WIDTH } from 'levy-transparency-log';

/** Event of an entry, and its position in the store when the notary recorded or last relocated it. */
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
  /** Entries after the last full bundle. */
  readonly entries: readonly IndexedEntry[];
  /** Hashes after the last full tile of each level, from level 1 on. */
  readonly upper: readonly (readonly Uint8Array[])[];
}

export const EMPTY_END: TreeEnd = { size: 0, entries: [], upper: [] };

export type LogTree = ReturnType<typeof createLogTree>;

export function createLogTree(begin: TreeEnd = EMPTY_END) {
  const tree = createGrowingTree({ ...begin, entries: begin.entries.map(({ entry }) => entry) });
  let lines = [...begin.entries];
  return {
    size: tree.size,
    root: tree.root,
    /**
     * Adds an entry and returns the files that it completed: tiles, bundles and index pages, named relative to the log's
     * folder.
     */
    add(entry: IndexedEntry): readonly FullTile[] {
      const [bundle, ...tiles] = tree.add(entry.entry);
      lines.push(entry);
      if (bundle === undefined) return [];
      const page = Math.floor((tree.size() - 1) / TILE_WIDTH);
      const text = indexText(lines, page * TILE_WIDTH);
      lines = [];
      return [bundle, { name: indexName(page), bytes: Buffer.from(text) }, ...tiles];
    },
    /** Records a new position for the event of an entry after the last full bundle. */
    relocate(index: number, position: string): void {
      const first = tree.size() - lines.length;
      lines = lines.map((line, at) => (first + at === index ? { ...line, position } : line));
    },
    end: (): TreeEnd => ({ ...tree.end(), entries: [...lines] }),
  };
}

export function indexName(index: number): string {
  return `index/${numberPath(index)}`;
}

/** Formats a page of the index, one line of JSON per entry. */
export function indexText(lines: readonly IndexLine[], first: number): string {
  return lines
    .map(({ id, stream, revision, position }, at) => {
      const line = { index: first + at, id, stream, revision, position };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}
