/** Tables of one build of a collection: documents, their index entries, and their ranks in lists. */
import type { CollectionShape } from '../../kernel/ports/collection-shape.ts';
import type { Generation } from '../../kernel/ports/read-model.ts';
import type { SqliteDatabase } from './database.ts';

/** Quoted names, ready for use in a statement. */
export interface BuildTables {
  /** Columns: ordinal, key, position, one for each view, document (null: a tombstone). */
  readonly documents: string;
  /** Columns: name, value, place (sort key), ordinal; see `entriesOf`. */
  readonly entries: string;
  /** Columns: id, list, name, total (listed documents). */
  readonly partitions: string;
  /** Columns: partition, listed, rank, ordinal. Includes documents that left the partition. */
  readonly ranks: string;
  readonly views: readonly string[];
  view(name: string): string;
}

export function tablesOf(
  name: string,
  { version, generation }: Generation,
  shape: CollectionShape,
): BuildTables {
  // Names contain neither dash nor dot, so two builds never share a table.
  const table = (part: string) => `"${name}_v${version}${generation === 1 ? '' : `-${generation}`}.${part}"`;
  return {
    documents: table('documents'),
    entries: table('entries'),
    partitions: table('partitions'),
    ranks: table('ranks'),
    views: shape.views,
    view: (view) => `"view.${view}"`,
  };
}

/** The document is the last column, so that reading a view need not skip the document. */
export function createTables(
  database: SqliteDatabase,
  { documents, entries, partitions, ranks, views, view }: BuildTables,
): void {
  const trigger = (event: string) => ranks.replace(/\.ranks"$/, `.${event}"`);
  database.execute(`
    CREATE TABLE ${documents} (
      ordinal INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, position TEXT NOT NULL,
      ${views.map((name) => `${view(name)} TEXT,`).join(' ')} document TEXT
    ) STRICT;
    CREATE TABLE ${entries} (
      name TEXT NOT NULL, value TEXT NOT NULL, place TEXT NOT NULL, ordinal INTEGER NOT NULL,
      PRIMARY KEY (name, value, place, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ${partitions} (
      id INTEGER PRIMARY KEY, list TEXT NOT NULL, name TEXT NOT NULL, total INTEGER NOT NULL DEFAULT 0, UNIQUE (list, name)
    ) STRICT;
    CREATE TABLE ${ranks} (
      partition INTEGER NOT NULL, listed INTEGER NOT NULL, rank INTEGER NOT NULL, ordinal INTEGER NOT NULL,
      PRIMARY KEY (partition, listed, rank), UNIQUE (ordinal, partition)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER ${trigger('entered')} AFTER INSERT ON ${ranks} BEGIN
      UPDATE ${partitions} SET total = total + 1 WHERE id = new.partition;
    END;
    CREATE TRIGGER ${trigger('moved')} AFTER UPDATE OF listed ON ${ranks} BEGIN
      UPDATE ${partitions} SET total = total + new.listed - old.listed WHERE id = new.partition;
    END`);
}

export function dropTables(database: SqliteDatabase, tables: BuildTables): void {
  const { documents, entries, partitions, ranks } = tables;
  for (const table of [documents, entries, partitions, ranks])
    database.execute(`DROP TABLE IF EXISTS ${table}`);
}
