/** Finds documents of a collection by index, list and term, with statements alone: nothing is kept between calls. */
import type {
  Document,
  FindOptions,
  Page,
  PageOptions,
  SearchOptions,
  StoredEntry,
} from '../../kernel/ports/read-model.ts';
import { searchable, storable } from '../../kernel/ports/searchable-text.ts';
import type { CollectionTables } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';
import type { RankedLists } from './ranked-lists.ts';

export interface CollectionQueries {
  /** In the order of keys. */
  entries(after: string | undefined, limit: number): readonly StoredEntry[];
  find(index: string, value: string, options: FindOptions): readonly Document[];
  count(index: string, value: string, most: number | undefined): number;
  page(list: string, partition: string, options: PageOptions): Page;
  search(list: string, partition: string, options: SearchOptions): Page;
}

/** Separates the texts of a page. JSON escapes control characters, so no text contains it. */
const SEPARATOR = '\u001f';

export function createCollectionQueries(
  database: SqliteDatabase,
  tables: CollectionTables,
  lists: RankedLists,
): CollectionQueries {
  const { documents, ranked, shape } = tables;
  return {
    entries(after, limit) {
      const found = database.statement<[string, string, string | null, ...(string | null)[]]>(
        `SELECT ${['key', 'position', 'document', ...shape.views.map(tables.view)].join(', ')} FROM ${documents}
         ${after === undefined ? '' : 'WHERE key > ?'} ORDER BY key LIMIT ?`,
      );
      const place = after === undefined ? [] : [storable(after)];
      return found.rows(...place, limit).map(
        ([key, position, document, ...views]): StoredEntry => ({
          key,
          position,
          document: document === null ? undefined : JSON.parse(document),
          views: Object.fromEntries(
            shape.views.flatMap((view, index) => {
              const text = views[index] ?? null;
              return text === null ? [] : [[view, text]];
            }),
          ),
        }),
      );
    },

    find(index, value, { limit = -1, newestFirst = false, after }) {
      const behind = `AND i.ordinal ${newestFirst ? '<' : '>'} (SELECT ordinal FROM ${documents} WHERE key = ?)`;
      const found = database.statement<[string]>(
        `SELECT d.document FROM ${tables.index(index)} i CROSS JOIN ${documents} d ON d.ordinal = i.ordinal
         WHERE i.value = ? ${after === undefined ? '' : behind} ORDER BY i.ordinal ${newestFirst ? 'DESC' : 'ASC'} LIMIT ?`,
      );
      const place = after === undefined ? [] : [storable(after)];
      return found.rows(storable(value), ...place, limit).map(([document]) => JSON.parse(document));
    },

    count(index, value, most = -1) {
      const counted = database.statement<[number]>(
        `SELECT count(*) FROM (SELECT 1 FROM ${tables.index(index)} WHERE value = ? LIMIT ?)`,
      );
      return counted.row(storable(value), most)?.[0] ?? 0;
    },

    page(list, partitionName, { view, offset, limit, after }) {
      const partition = storable(partitionName);
      const { id, total } = lists.find(list, partition) ?? { id: 0, total: 0 };
      if (offset >= total || limit <= 0) return { items: [], total };
      // One row for all: fetching single rows takes longer than finding them.
      const page = database.statement<[string]>(
        `SELECT group_concat(text, char(${SEPARATOR.charCodeAt(0)}) ORDER BY rank DESC) FROM (
           SELECT r.rank AS rank, d.${tables.view(view)} AS text
           FROM ${ranked} r CROSS JOIN ${documents} d ON d.ordinal = r.ordinal
           WHERE r.partition = ? AND r.rank <= ? ORDER BY r.rank DESC LIMIT ? OFFSET ?
         )`,
      );
      const [highest, skipped] =
        after === undefined
          ? [lists.rankAt(list, partition, offset), 0]
          : [lists.rankOf(id, after) - 1, offset];
      const [texts] = page.row(id, highest, limit, skipped) ?? [];
      return { items: texts?.split(SEPARATOR) ?? [], total };
    },

    search: (list, partition, options) =>
      searchIn(database, tables, lists, lists.find(list, storable(partition))?.id, options),
  };
}

/** `partition`: undefined where nothing ever was in it. */
function searchIn(
  database: SqliteDatabase,
  { documents, terms, places, view: columnOf }: CollectionTables,
  lists: RankedLists,
  partition: number | undefined,
  { prefix, view, offset, limit, matchLimit, after }: SearchOptions,
): Page {
  if (partition === undefined || matchLimit <= 0) return { items: [], total: 0 };
  const wanted = searchable(prefix);
  const end = endOfPrefix(wanted);
  const matches = database.statement<[ordinal: number, rank: number]>(
    `SELECT DISTINCT ordinal, rank FROM (
       SELECT p.ordinal, p.rank FROM ${terms} t CROSS JOIN ${places} p ON p.ordinal = t.ordinal
       WHERE t.term >= ? ${end === undefined ? '' : 'AND t.term < ?'} AND p.partition = ? AND p.listed = 1
       ORDER BY t.term, t.ordinal LIMIT ?
     ) ORDER BY rank DESC`,
  );
  const found = matches.rows(wanted, ...(end === undefined ? [] : [end]), partition, matchLimit);
  const place = after === undefined ? Number.POSITIVE_INFINITY : lists.rankOf(partition, after);
  const text = database.statement<[string]>(`SELECT ${columnOf(view)} FROM ${documents} WHERE ordinal = ?`);
  const items = found
    .filter(([, rank]) => rank < place)
    .slice(offset, offset + Math.max(limit, 0))
    .flatMap(([ordinal]) => text.row(ordinal) ?? []);
  return { items, total: found.length };
}

/** The first text after all with the prefix, in code-point order; undefined if there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Surrogates are not characters; the one after U+D7FF is U+E000.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}
