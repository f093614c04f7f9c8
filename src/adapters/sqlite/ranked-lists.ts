/**
 * Ranked lists whose pages cost the same at any offset. A document that enters a partition gets the next rank for good; what
 * has left is counted by rank-gaps.ts, so leaving moves nothing.
 */
import { storable } from '../../kernel/ports/searchable-text.ts';
import type { CollectionTables } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';
import { createListChanges, type ListChanges, type Partition } from './list-changes.ts';
import { createRankGaps } from './rank-gaps.ts';

export interface RankedLists {
  /** Gathers the changes of one commit; `flush` writes what it counted. */
  change(): ListChanges;
  find(list: string, partition: string): { readonly id: number; readonly total: number } | undefined;
  /** The rank of the document at an offset, counted from the newest; the offset must be below the total. */
  rankAt(list: string, partition: string, offset: number): number;
  /** The document's rank, also when it has left the partition; -1 if it never was in it. */
  rankOf(partition: number, key: string): number;
}

export function createRankedLists(database: SqliteDatabase, tables: CollectionTables): RankedLists {
  const { documents, partitions, places, ranked } = tables;
  const findPartition = database.statement<[id: number, total: number, next: number]>(
    `SELECT id, total, next FROM ${partitions} WHERE list = ? AND name = ?`,
  );
  const rankFrom = database.statement<[number]>(
    `SELECT rank FROM ${ranked} WHERE partition = ? AND rank >= ? ORDER BY rank LIMIT 1 OFFSET ?`,
  );
  const rankOfKey = database.statement<[number]>(
    `SELECT p.rank FROM ${documents} d CROSS JOIN ${places} p ON p.ordinal = d.ordinal WHERE d.key = ? AND p.partition = ?`,
  );
  const gaps = createRankGaps(database, tables);

  function find(list: string, name: string): Partition | undefined {
    const row = findPartition.row(list, name);
    return row && { id: row[0], total: row[1], next: row[2] };
  }

  /** The rank of the listed document that has `before` listed documents before it. */
  function select({ id, total, next }: Partition, before: number): number {
    if (total === next) return before;
    const { first, left } = gaps.search(id, next, before);
    return rankFrom.row(id, first, left)?.[0] ?? -1;
  }

  return {
    find,
    change: createListChanges(database, tables, { find, gaps }),
    rankAt(list, name, offset) {
      const partition = find(list, name);
      return partition ? select(partition, partition.total - 1 - offset) : -1;
    },
    rankOf: (partition, key) => rankOfKey.row(storable(key), partition)?.[0] ?? -1,
  };
}
