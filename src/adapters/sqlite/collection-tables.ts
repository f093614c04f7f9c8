/** The tables of one generation of a collection: their names, creation and removal. */
import { type CollectionShape, requireNames } from '../../kernel/ports/collection-shape.ts';
import type { Generation } from '../../kernel/ports/read-model.ts';
import type { SqliteDatabase } from './database.ts';

/** Quoted names of tables and columns, ready for use in a statement. */
export interface CollectionTables {
  readonly shape: CollectionShape;
  /** ordinal, key, position, a column for each view, document (null: a tombstone) */
  readonly documents: string;
  /** term, ordinal */
  readonly terms: string;
  /** id, list, name, total (documents in it), next (rank) */
  readonly partitions: string;
  /** partition, rank, ordinal: listed documents only */
  readonly ranked: string;
  /** ordinal, partition, rank, listed: also documents that have left */
  readonly places: string;
  /** partition, height, node, missing: see `sqlite-ranked-lists.ts` */
  readonly gaps: string;
  /** value, ordinal */
  index(name: string): string;
  /** value (with the place: see ordered-entries.ts), ordinal */
  order(name: string): string;
  view(name: string): string;
}

/**
 * Generations are counted per version from 1, in the order in which they were begun.
 * @throws TypeError when a name could not be part of a table's name. */
export function tablesOf(
  name: string,
  { version, generation }: Generation,
  shape: CollectionShape,
): CollectionTables {
  requireNames(name, version, shape);
  // Dash and dot occur in no name, so two collections never share a table.
  const later = generation === 1 ? '' : `-${generation}`;
  const table = (part: string) => `"${name}_v${version}${later}.${part}"`;
  return {
    shape,
    documents: table('documents'),
    terms: table('terms'),
    partitions: table('partitions'),
    ranked: table('ranked'),
    places: table('places'),
    gaps: table('gaps'),
    index: (index) => table(`index.${index}`),
    order: (order) => table(`order.${order}`),
    view: (view) => `"view.${view}"`,
  };
}

/** Those of values, of indexes first. */
export function valueTables({ shape, index, order }: CollectionTables): readonly string[] {
  return [...shape.indexes.map(index), ...(shape.orders ?? []).map(order)];
}

/** Those of lists and terms only where the shape has any: most collections have none. */
export function createTables(database: SqliteDatabase, tables: CollectionTables): void {
  const { shape } = tables;
  const views = shape.views.map((view) => `${tables.view(view)} TEXT,`).join(' ');
  // The document is the last column: a page reads only a view, and need not skip the document to find it.
  database.execute(`
    CREATE TABLE ${tables.documents} (
      ordinal INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, position TEXT NOT NULL, ${views} document TEXT
    ) STRICT`);
  if (shape.terms) createEntries(database, tables.terms, 'term');
  if (shape.lists.length > 0) createLists(database, tables);
  for (const table of valueTables(tables)) createEntries(database, table, 'value');
}

function createEntries(database: SqliteDatabase, table: string, column: 'term' | 'value'): void {
  database.execute(`
    CREATE TABLE ${table} (
      ${column} TEXT NOT NULL, ordinal INTEGER NOT NULL, PRIMARY KEY (${column}, ordinal)
    ) STRICT, WITHOUT ROWID`);
}

function createLists(database: SqliteDatabase, tables: CollectionTables): void {
  database.execute(`
    CREATE TABLE ${tables.partitions} (
      id INTEGER PRIMARY KEY, list TEXT NOT NULL, name TEXT NOT NULL, total INTEGER NOT NULL, next INTEGER NOT NULL,
      UNIQUE (list, name)
    ) STRICT;
    CREATE TABLE ${tables.ranked} (
      partition INTEGER NOT NULL, rank INTEGER NOT NULL, ordinal INTEGER NOT NULL, PRIMARY KEY (partition, rank)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ${tables.places} (
      ordinal INTEGER NOT NULL, partition INTEGER NOT NULL, rank INTEGER NOT NULL, listed INTEGER NOT NULL,
      PRIMARY KEY (ordinal, partition)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ${tables.gaps} (
      partition INTEGER NOT NULL, height INTEGER NOT NULL, node INTEGER NOT NULL, missing BLOB NOT NULL,
      PRIMARY KEY (partition, height, node)
    ) STRICT, WITHOUT ROWID`);
}

export function emptyTables(database: SqliteDatabase, tables: CollectionTables): void {
  const { shape, documents, terms, partitions, ranked, places, gaps } = tables;
  const used = [
    documents,
    ...(shape.terms ? [terms] : []),
    ...(shape.lists.length > 0 ? [partitions, ranked, places, gaps] : []),
    ...valueTables(tables),
  ];
  for (const table of used) database.execute(`DELETE FROM ${table}`);
}

/** Also those that older releases made for every shape. */
export function dropTables(database: SqliteDatabase, tables: CollectionTables): void {
  const { documents, terms, partitions, ranked, places, gaps } = tables;
  for (const table of [documents, terms, partitions, ranked, places, gaps, ...valueTables(tables)])
    database.execute(`DROP TABLE IF EXISTS ${table}`);
}
