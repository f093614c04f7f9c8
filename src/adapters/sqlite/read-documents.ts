/** Finds documents of one build by key and index. */
import { placeBehind, storable } from '../../kernel/ports/collection-shape.ts';
import type { Document, FindOptions, StoredDocument, StoredEntry } from '../../kernel/ports/read-model.ts';
import type { BuildTables } from './build-tables.ts';
import type { SqliteDatabase } from './database.ts';

export type ReadDocuments = ReturnType<typeof createDocumentReader>;

export function createDocumentReader(
  database: SqliteDatabase,
  { documents, entries, views, view }: BuildTables,
) {
  const stored = database.statement<[string, string, string | null]>(
    `SELECT key, position, document FROM ${documents} WHERE key IN (SELECT value FROM json_each(?))`,
  );
  const ordinals = database.statement<[number]>(`SELECT ordinal FROM ${documents} WHERE key = ?`);
  const counted = database.statement<[number]>(
    `SELECT count(*) FROM (SELECT 1 FROM ${entries} WHERE name = ? AND value = ? LIMIT ?)`,
  );

  return {
    load(keys: readonly string[]): ReadonlyMap<string, StoredDocument> {
      const rows = stored.rows(JSON.stringify(keys.map(storable)));
      const byKey = new Map(rows.map(([key, ...row]) => [key, row]));
      return new Map(
        keys.flatMap((key) => {
          const [position, document] = byKey.get(storable(key)) ?? [];
          return position === undefined ? [] : [[key, { position, document: parsed(document) }]];
        }),
      );
    },

    entries(after: string | undefined, limit: number): readonly StoredEntry[] {
      const rows = database.statement<[string, string, string | null, ...(string | null)[]]>(
        `SELECT ${['key', 'position', 'document', ...views.map(view)].join(', ')} FROM ${documents}
         ${after === undefined ? '' : 'WHERE key > ?'} ORDER BY key LIMIT ?`,
      );
      return rows
        .rows(...(after === undefined ? [] : [storable(after)]), limit)
        .map(([key, position, document, ...texts]) => ({
          key,
          position,
          document: parsed(document),
          views: Object.fromEntries(
            views.flatMap((name, index) => (texts[index] == null ? [] : [[name, texts[index]]])),
          ),
        }));
    },

    find(index: string, value: string, options: FindOptions): readonly Document[] {
      const { limit = -1, descending = false, after } = options;
      const behind = placeBehind(after);
      const pastAll = descending ? -1 : Number.MAX_SAFE_INTEGER;
      const ordinal = behind?.key === undefined ? pastAll : ordinals.row(storable(behind.key))?.[0];
      if (ordinal === undefined) return [];
      const [direction, further] = descending ? ['DESC', '<'] : ['ASC', '>'];
      return database
        .statement<[string]>(
          `SELECT d.document FROM ${entries} e CROSS JOIN ${documents} d ON d.ordinal = e.ordinal
           WHERE e.name = ? AND e.value = ? ${behind === undefined ? '' : `AND (e.place, e.ordinal) ${further} (?, ?)`}
           ORDER BY e.place ${direction}, e.ordinal ${direction} LIMIT ?`,
        )
        .rows(
          `index ${index}`,
          storable(value),
          ...(behind === undefined ? [] : [storable(behind.place), ordinal]),
          limit,
        )
        .map(([document]) => JSON.parse(document));
    },

    count: (index: string, value: string, most = -1): number =>
      counted.row(`index ${index}`, storable(value), most)?.[0] ?? 0,
  };
}

function parsed(document: string | null | undefined): Document | undefined {
  return document == null ? undefined : JSON.parse(document);
}
