/**
 * The ranks of a partition whose documents have left, counted by a tree: a node has 64 children, and the k-th listed rank is
 * found in a few steps. Where nothing has left, there is no tree.
 */
import type { CollectionTables } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';

const FANOUT = 64;
/** A node of height h has 64 children of 64^h ranks each; one node of the greatest height spans 1,073,741,824 ranks. */
const HEIGHTS = [4, 3, 2, 1] as const;

export interface RankGaps {
  /** A document has left its rank, or has come back to it: changes one node of each height. */
  count(partition: number, rank: number, missing: 1 | -1): void;
  /** See `descend`. */
  search(partition: number, next: number, before: number): Descent;
}

export interface Descent {
  /** The first rank of the 64 among which the wanted one is. */
  readonly first: number;
  /** How many listed ranks are before it there. */
  readonly left: number;
}

/** How many ranks are missing below each child of a node; undefined where there is no node. */
export type NodeAt = (height: number, firstRank: number) => ArrayLike<number> | undefined;

/** Finds the listed rank that has `before` listed ranks before it, among the ranks below `next`. Pure. */
export function descend(nodeAt: NodeAt, next: number, before: number): Descent {
  let first = 0;
  let left = before;
  for (const height of HEIGHTS) {
    const size = FANOUT ** height;
    if (size >= next) continue;
    const missing = nodeAt(height, first);
    let child = 0;
    for (; child < FANOUT - 1; child += 1) {
      const listed = size - (missing?.[child] ?? 0);
      if (left < listed) break;
      left -= listed;
    }
    first += child * size;
  }
  return { first, left };
}

export function createRankGaps(database: SqliteDatabase, { gaps }: CollectionTables): RankGaps {
  const findNode = database.statement<[Uint8Array]>(
    `SELECT missing FROM ${gaps} WHERE partition = ? AND height = ? AND node = ?`,
  );
  const saveNode = database.statement(`INSERT OR REPLACE INTO ${gaps} VALUES (?, ?, ?, ?)`);
  const nodeOf = (height: number, rank: number) => Math.floor(rank / FANOUT ** (height + 1));

  function node(partition: number, height: number, rank: number): Int32Array | undefined {
    const bytes = findNode.row(partition, height, nodeOf(height, rank))?.[0];
    // Copied, because a view of 32-bit numbers must begin at a multiple of 4.
    return bytes && new Int32Array(Uint8Array.from(bytes).buffer);
  }

  return {
    count(partition, rank, missing) {
      for (const height of HEIGHTS) {
        const counts = node(partition, height, rank) ?? new Int32Array(FANOUT);
        const child = Math.floor(rank / FANOUT ** height) % FANOUT;
        counts[child] = (counts[child] ?? 0) + missing;
        saveNode.run(partition, height, nodeOf(height, rank), new Uint8Array(counts.buffer));
      }
    },
    search: (partition, next, before) =>
      descend((height, rank) => node(partition, height, rank), next, before),
  };
}
