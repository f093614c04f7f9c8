/** Finds rows of a collection's documents by key, and keeps what a write is about to need. */
import type { StoredDocument } from '../../kernel/ports/read-model.ts';
import { storable } from '../../kernel/ports/searchable-text.ts';
import type { StoredRow } from './collection-changes.ts';
import type { CollectionTables } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';
import { MANY } from './many-rows.ts';

export interface CollectionRows {
  find(key: string): StoredRow | undefined;
  /** By key as in the table. */
  findMany(keys: readonly string[]): ReadonlyMap<string, StoredRow>;
  load(keys: readonly string[], continued?: 'continued'): ReadonlyMap<string, StoredDocument>;
  /** Must be called when the row is written. */
  forget(key: string): void;
  forgetAll(): void;
}

export function createCollectionRows(
  database: SqliteDatabase,
  { documents }: CollectionTables,
): CollectionRows {
  const findRow = database.statement<[number, string, string | null]>(
    `SELECT ordinal, position, document FROM ${documents} WHERE key = ?`,
  );
  const findRows = database.statement<[string, number, string, string | null]>(
    `SELECT key, ordinal, position, document FROM ${documents} WHERE key IN (SELECT value FROM json_each(?))`,
  );
  /** What the latest `load` found, by key as in the table, until it is written: spares a write the look-up. */
  let loaded = new Map<string, StoredRow | undefined>();

  function find(key: string): StoredRow | undefined {
    const row = findRow.row(key);
    return row && storedRow(...row);
  }

  function findMany(keys: readonly string[]): ReadonlyMap<string, StoredRow> {
    const found = new Map<string, StoredRow>();
    const missing: string[] = [];
    for (const key of new Set(keys)) {
      const known = loaded.get(key);
      if (known !== undefined) found.set(key, known);
      else if (!loaded.has(key)) missing.push(key);
    }
    if (missing.length === 0) return found;
    for (const [key, ...row] of findRows.rows(JSON.stringify(missing))) found.set(key, storedRow(...row));
    return found;
  }

  return {
    find,
    findMany,
    load(keys, continued) {
      if (continued === undefined) loaded = new Map();
      const stored = keys.map(storable);
      const many = keys.length < MANY ? undefined : findMany(stored);
      if (many) for (const key of stored) loaded.set(key, many.get(key));
      const found = new Map<string, StoredDocument>();
      for (const [index, key] of keys.entries()) {
        const inTable = stored[index] ?? '';
        const row = many ? many.get(inTable) : find(inTable);
        if (row) found.set(key, { position: row.position, document: row.document });
      }
      return found;
    },
    forget: (key) => loaded.delete(key),
    forgetAll() {
      loaded = new Map();
    },
  };
}

function storedRow(ordinal: number, position: string, document: string | null): StoredRow {
  return { ordinal, position, document: document === null ? undefined : JSON.parse(document) };
}
