/** One version of a collection in SQLite: writes documents with their index entries, and finds them. */
import { LRUCache } from 'lru-cache';
import type {
  Collection,
  Document,
  DocumentChange,
  OrderOptions,
  Page,
  StoredDocument,
} from '../../kernel/ports/read-model.ts';
import { storable } from '../../kernel/ports/searchable-text.ts';
import { type CollectionQueries, createCollectionQueries } from './collection-queries.ts';
import { createCollectionRows } from './collection-rows.ts';
import type { CollectionTables } from './collection-tables.ts';
import { createCollectionWriter } from './collection-writer.ts';
import type { SqliteDatabase } from './database.ts';
import { createKeptDocuments } from './kept-documents.ts';
import { findOrdered } from './ordered-entries.ts';
import { createRankedLists } from './ranked-lists.ts';

/** All synchronous. Writing must happen within a transaction. */
export interface SqliteCollection extends CollectionQueries {
  /** What the next `write` should know, one `load` after another, can be gathered by `continued` ones. */
  load(keys: readonly string[], continued?: 'continued'): ReadonlyMap<string, StoredDocument>;
  /** The document alone, possibly shared with other callers. Must not be called within a transaction. */
  get(key: string): Document | undefined;
  write(definition: Collection, changes: readonly DocumentChange[]): void;
  ordered(order: string, value: string, options: OrderOptions): readonly Document[];
  /** Must be called when others have changed the tables. */
  forget(): void;
}

/** Pages kept between two writes: the first ones are requested repeatedly. Bounds their memory. */
const PAGES_KEPT = 128;

/** The same for documents. */
const DOCUMENTS_KEPT = 512;

export function createSqliteCollection(database: SqliteDatabase, tables: CollectionTables): SqliteCollection {
  const lists = createRankedLists(database, tables);
  const rows = createCollectionRows(database, tables);
  const write = createCollectionWriter(database, tables, rows, lists);
  const queries = createCollectionQueries(database, tables, lists);
  const pages = new LRUCache<string, Page>({ max: PAGES_KEPT });
  const kept = createKeptDocuments(DOCUMENTS_KEPT);
  return {
    ...queries,
    load: rows.load,
    ordered: (order, value, options) => findOrdered(database, tables, order, value, options),
    get: (key) => kept.get(storable(key), (stored) => rows.find(stored)?.document),
    write(definition, changes) {
      pages.clear();
      for (const { key } of changes) kept.forget(storable(key));
      write(definition, changes);
    },
    page(list, partition, options) {
      const { view, offset, limit, after } = options;
      const key = JSON.stringify([list, partition, view, offset, limit, after]);
      const known = pages.get(key);
      if (known) return known;
      const page = queries.page(list, partition, options);
      pages.set(key, page);
      return page;
    },
    forget() {
      pages.clear();
      kept.forgetAll();
      rows.forgetAll();
    },
  };
}
