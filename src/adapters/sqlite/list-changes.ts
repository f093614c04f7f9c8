/** Gathers what one commit changes in ranked lists: new places are written many at once, and each partition's figures once. */
import type { CollectionTables } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';
import { manyRows } from './many-rows.ts';
import type { RankGaps } from './rank-gaps.ts';

export interface Partition {
  readonly id: number;
  total: number;
  /** The rank of the next document that enters for the first time. */
  next: number;
}

export interface ListChanges {
  /** A document that returns gets its old rank again; a new one is known to have none. */
  enter(list: string, partition: string, ordinal: number, isNew: boolean): void;
  leave(list: string, partition: string, ordinal: number): void;
  /** Writes what was gathered. */
  flush(): void;
}

type FindPartition = (list: string, name: string) => Partition | undefined;

/** Those of one commit. A partition that was not stored before is stored at its end. */
interface ChangedPartitions {
  of(list: string, name: string): Partition;
  flush(): void;
}

/** `gaps` counts the documents that leave and come back. Gives what starts the changes of one commit. */
export function createListChanges(
  database: SqliteDatabase,
  tables: CollectionTables,
  { find, gaps }: { readonly find: FindPartition; readonly gaps: RankGaps },
): () => ListChanges {
  const beginPartitions = createChangedPartitions(database, tables, find);
  const beginPlaces = createPlaces(database, tables);
  return () => {
    const partitions = beginPartitions();
    const places = beginPlaces();
    return {
      enter(list, name, ordinal, isNew) {
        const partition = partitions.of(list, name);
        const place = isNew ? undefined : places.of(ordinal, partition);
        if (place?.isListed) return;
        partition.total += 1;
        if (place === undefined) {
          places.add(ordinal, partition, partition.next);
          partition.next += 1;
          return;
        }
        places.enterAgain(ordinal, partition, place.rank);
        gaps.count(partition.id, place.rank, -1);
      },
      leave(list, name, ordinal) {
        const partition = partitions.of(list, name);
        const place = places.of(ordinal, partition);
        if (!place?.isListed) return;
        partition.total -= 1;
        places.leave(ordinal, partition, place.rank);
        gaps.count(partition.id, place.rank, 1);
      },
      flush() {
        places.flush();
        partitions.flush();
      },
    };
  };
}

function createChangedPartitions(
  database: SqliteDatabase,
  { partitions }: CollectionTables,
  find: FindPartition,
): () => ChangedPartitions {
  const lastId = database.statement<[number | null]>(`SELECT max(id) FROM ${partitions}`);
  const add = manyRows(database, `INSERT INTO ${partitions} (id, list, name, total, next)`, 5);
  const save = database.statement(`UPDATE ${partitions} SET total = ?, next = ? WHERE id = ?`);
  return () => {
    const known = new Map<string, Partition>();
    const stored: Partition[] = [];
    const created: { readonly partition: Partition; readonly list: string; readonly name: string }[] = [];
    let last: number | undefined;

    function create(list: string, name: string): Partition {
      last = (last ?? lastId.row()?.[0] ?? 0) + 1;
      const partition = { id: last, total: 0, next: 0 };
      created.push({ partition, list, name });
      return partition;
    }

    return {
      of(list, name) {
        const key = `${list} ${name}`;
        const before = known.get(key);
        if (before !== undefined) return before;
        const found = find(list, name);
        if (found !== undefined) stored.push(found);
        const partition = found ?? create(list, name);
        known.set(key, partition);
        return partition;
      },
      flush() {
        add(created.map(({ partition: { id, total, next }, list, name }) => [id, list, name, total, next]));
        for (const { id, total, next } of stored) save.run(total, next, id);
      },
    };
  };
}

/** Writes many documents at once that entered for the first time, in their order. */
function createPlaces(database: SqliteDatabase, { ranked, places }: CollectionTables) {
  const find = database.statement<[rank: number, listed: number]>(
    `SELECT rank, listed FROM ${places} WHERE ordinal = ? AND partition = ?`,
  );
  const addPlaces = manyRows(database, `INSERT INTO ${places}`, 4);
  const setListed = database.statement(`UPDATE ${places} SET listed = ? WHERE ordinal = ? AND partition = ?`);
  const addRanks = manyRows(database, `INSERT INTO ${ranked}`, 3);
  const removeRank = database.statement(`DELETE FROM ${ranked} WHERE partition = ? AND rank = ?`);
  return () => {
    let entered: (readonly [ordinal: number, partition: number, rank: number])[] = [];

    function flush(): void {
      addPlaces(entered.map(([ordinal, partition, rank]) => [ordinal, partition, rank, 1]));
      const byPartition = entered.toSorted((one, other) => one[1] - other[1] || one[2] - other[2]);
      addRanks(byPartition.map(([ordinal, partition, rank]) => [partition, rank, ordinal]));
      entered = [];
    }

    return {
      flush,
      of(ordinal: number, { id }: Partition) {
        if (entered.length > 0) flush();
        const row = find.row(ordinal, id);
        return row && { rank: row[0], isListed: row[1] === 1 };
      },
      add: (ordinal: number, { id }: Partition, rank: number) => void entered.push([ordinal, id, rank]),
      enterAgain(ordinal: number, { id }: Partition, rank: number) {
        setListed.run(1, ordinal, id);
        addRanks([[id, rank, ordinal]]);
      },
      leave(ordinal: number, { id }: Partition, rank: number) {
        setListed.run(0, ordinal, id);
        removeRank.run(id, rank);
      },
    };
  };
}
