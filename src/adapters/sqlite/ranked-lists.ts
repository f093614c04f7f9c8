/**
 * Ranked lists whose pages cost the same at any offset. A document that enters a partition gets the next rank for good.
 * A tree over the ranks, 64 children per node, counts the documents that have left, so that the k-th listed document is
 * found in a few steps, and leaving changes one node of each height. Where nothing has left, there is no tree.
 */
import type { CollectionTables } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';
import { manyRows } from './many-rows.ts';

const FANOUT = 64;
/** A node of height h has 64 children of 64^h ranks each; one node of the greatest height spans 1,073,741,824 ranks. */
const HEIGHTS = [4, 3, 2, 1] as const;

interface Partition {
  readonly id: number;
  total: number;
  /** The rank of the next document that enters for the first time. */
  next: number;
}

export interface RankedLists {
  /** Gathers the changes of one commit; `flush` writes what it counted. */
  change(): ListChanges;
  find(list: string, partition: string): { readonly id: number; readonly total: number } | undefined;
  /** The rank of the document at an offset, counted from the newest; the offset must be below the total. */
  rankAt(list: string, partition: string, offset: number): number;
}

export interface ListChanges {
  /** A document that returns gets its old rank again; a new one is known to have none. */
  enter(list: string, partition: string, ordinal: number, isNew: boolean): void;
  leave(list: string, partition: string, ordinal: number): void;
  flush(): void;
}

export function createRankedLists(database: SqliteDatabase, tables: CollectionTables): RankedLists {
  const { partitions, ranked, places, gaps } = tables;
  const findPartition = database.statement<[number, number, number]>(
    `SELECT id, total, next FROM ${partitions} WHERE list = ? AND name = ?`,
  );
  const lastPartition = database.statement<[number | null]>(`SELECT max(id) FROM ${partitions}`);
  const addPartitions = manyRows(database, `INSERT INTO ${partitions} (id, list, name, total, next)`, 5);
  const savePartition = database.statement(`UPDATE ${partitions} SET total = ?, next = ? WHERE id = ?`);
  const findPlace = database.statement<[number, number]>(
    `SELECT rank, listed FROM ${places} WHERE ordinal = ? AND partition = ?`,
  );
  const addPlaces = manyRows(database, `INSERT INTO ${places}`, 4);
  const setListed = database.statement(`UPDATE ${places} SET listed = ? WHERE ordinal = ? AND partition = ?`);
  const addRanks = manyRows(database, `INSERT INTO ${ranked}`, 3);
  const removeRank = database.statement(`DELETE FROM ${ranked} WHERE partition = ? AND rank = ?`);
  const rankFrom = database.statement<[number]>(
    `SELECT rank FROM ${ranked} WHERE partition = ? AND rank >= ? ORDER BY rank LIMIT 1 OFFSET ?`,
  );
  const findNode = database.statement<[Uint8Array]>(
    `SELECT missing FROM ${gaps} WHERE partition = ? AND height = ? AND node = ?`,
  );
  const saveNode = database.statement(`INSERT OR REPLACE INTO ${gaps} VALUES (?, ?, ?, ?)`);

  function load(list: string, name: string): Partition | undefined {
    const row = findPartition.row(list, name);
    return row && { id: row[0], total: row[1], next: row[2] };
  }

  function node(partition: number, height: number, rank: number): Int32Array | undefined {
    const bytes = findNode.row(partition, height, Math.floor(rank / FANOUT ** (height + 1)))?.[0];
    // Copied, because a view of 32-bit numbers must begin at a multiple of 4.
    return bytes && new Int32Array(Uint8Array.from(bytes).buffer);
  }

  function count(partition: number, rank: number, missing: 1 | -1): void {
    for (const height of HEIGHTS) {
      const counts = node(partition, height, rank) ?? new Int32Array(FANOUT);
      const child = Math.floor(rank / FANOUT ** height) % FANOUT;
      counts[child] = (counts[child] ?? 0) + missing;
      const index = Math.floor(rank / FANOUT ** (height + 1));
      saveNode.run(partition, height, index, new Uint8Array(counts.buffer));
    }
  }

  /** The rank of the listed document that has `before` listed documents before it. */
  function select(partition: Partition, before: number): number {
    if (partition.total === partition.next) return before;
    let first = 0;
    let left = before;
    for (const height of HEIGHTS) {
      const size = FANOUT ** height;
      if (size >= partition.next) continue;
      const missing = node(partition.id, height, first);
      let child = 0;
      for (; child < FANOUT - 1; child += 1) {
        const listed = size - (missing?.[child] ?? 0);
        if (left < listed) break;
        left -= listed;
      }
      first += child * size;
    }
    return rankFrom.row(partition.id, first, left)?.[0] ?? -1;
  }

  return {
    find: load,
    rankAt(list, name, offset) {
      const partition = load(list, name);
      return partition ? select(partition, partition.total - 1 - offset) : -1;
    },
    change() {
      const changed = new Map<string, Partition & { readonly isNew: boolean }>();
      /** Of documents that entered for the first time: written in order, many at once. */
      let entered: (readonly [ordinal: number, partition: number, rank: number])[] = [];
      let lastId: number | undefined;
      let created: (readonly [id: number, list: string, name: string])[] = [];

      function partitionOf(list: string, name: string): Partition {
        const key = `${list} ${name}`;
        const known = changed.get(key);
        if (known !== undefined) return known;
        const stored = load(list, name);
        const partition = stored
          ? { ...stored, isNew: false }
          : { id: nextId(), total: 0, next: 0, isNew: true };
        if (!stored) created.push([partition.id, list, name]);
        changed.set(key, partition);
        return partition;
      }

      function nextId(): number {
        lastId = (lastId ?? lastPartition.row()?.[0] ?? 0) + 1;
        return lastId;
      }

      function writeEntered(): void {
        addPlaces(entered.map(([ordinal, partition, rank]) => [ordinal, partition, rank, 1]));
        const byPartition = entered.toSorted((one, other) => one[1] - other[1] || one[2] - other[2]);
        addRanks(byPartition.map(([ordinal, partition, rank]) => [partition, rank, ordinal]));
        entered = [];
      }

      function placeOf(ordinal: number, partition: Partition) {
        if (entered.length > 0) writeEntered();
        return findPlace.row(ordinal, partition.id) ?? [];
      }

      return {
        enter(list, name, ordinal, isNew) {
          const partition = partitionOf(list, name);
          const [rank, listed] = isNew ? [] : placeOf(ordinal, partition);
          if (listed === 1) return;
          partition.total += 1;
          if (rank === undefined) {
            entered.push([ordinal, partition.id, partition.next]);
            partition.next += 1;
            return;
          }
          setListed.run(1, ordinal, partition.id);
          addRanks([[partition.id, rank, ordinal]]);
          count(partition.id, rank, -1);
        },
        leave(list, name, ordinal) {
          const partition = partitionOf(list, name);
          const [rank, listed] = placeOf(ordinal, partition);
          if (rank === undefined || listed !== 1) return;
          partition.total -= 1;
          setListed.run(0, ordinal, partition.id);
          removeRank.run(partition.id, rank);
          count(partition.id, rank, 1);
        },
        flush() {
          writeEntered();
          const figures = new Map([...changed.values()].map((partition) => [partition.id, partition]));
          addPartitions(
            created.map(([id, list, name]) => {
              const { total = 0, next = 0 } = figures.get(id) ?? {};
              return [id, list, name, total, next];
            }),
          );
          created = [];
          for (const { id, total, next, isNew } of changed.values())
            if (!isNew) savePartition.run(total, next, id);
        },
      };
    },
  };
}
