/** Reads pages of the lists of one build, and searches in them by term. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { searchable, storable } from '../../kernel/ports/collection-shape.ts';
import type { Page, PageOptions, SearchOptions } from '../../kernel/ports/read-model.ts';
import type { BuildTables } from './build-tables.ts';
import type { SqliteDatabase } from './database.ts';

/** Maximum documents that one statement skips, in one or two milliseconds. */
const STEP = 5_000;

/** Separator of the texts of a page. JSON escapes control characters, so no text contains it. */
const SEPARATOR = '\u001f';

export interface ReadLists {
  /** Undefined if the build was replaced while the page was being read. */
  page(
    list: string,
    partition: string,
    options: PageOptions,
    isCurrent: () => boolean,
  ): Promise<Page | undefined>;
  search(list: string, partition: string, options: SearchOptions): Page;
}

export function createListReader(
  database: SqliteDatabase,
  { documents, entries, partitions, ranks, view: column }: BuildTables,
): ReadLists {
  const found = database.statement<[id: number, total: number]>(
    `SELECT id, total FROM ${partitions} WHERE list = ? AND name = ?`,
  );
  const skipped = database.statement<[number]>(
    `SELECT rank FROM ${ranks} WHERE partition = ? AND listed = 1 AND rank < ? ORDER BY rank DESC LIMIT 1 OFFSET ?`,
  );
  const ranked = database.statement<[number]>(
    `SELECT r.rank FROM ${documents} d CROSS JOIN ${ranks} r ON r.ordinal = d.ordinal WHERE d.key = ? AND r.partition = ?`,
  );

  /** Rank of the document, also after it left the partition; -1 if it was never in the partition. */
  const rankOf = (partition: number, key: string): number => ranked.row(storable(key), partition)?.[0] ?? -1;

  return {
    async page(list, name, { view, offset, limit, after }, isCurrent) {
      const [partition = 0, total = 0] = found.row(list, storable(name)) ?? [];
      if (offset >= total || limit <= 0) return { items: [], total };
      let end = after === undefined ? Number.MAX_SAFE_INTEGER : rankOf(partition, after);
      let left = offset;
      while (left > STEP) {
        end = skipped.row(partition, end, STEP - 1)?.[0] ?? 0;
        left -= STEP;
        await nextTurn();
        if (!isCurrent()) return undefined;
      }
      const page = database.statement<[string | null]>(pageOf(ranks, documents, column(view)));
      const [texts] = page.row(partition, end, limit, left) ?? [];
      return { items: texts?.split(SEPARATOR) ?? [], total };
    },

    search(list, name, { prefix, view, offset, limit, matchLimit, after }) {
      const [partition] = found.row(list, storable(name)) ?? [];
      if (partition === undefined || matchLimit <= 0) return { items: [], total: 0 };
      const wanted = searchable(prefix);
      const end = endOfPrefix(wanted);
      const matches = database.statement<[ordinal: number, rank: number]>(
        `SELECT DISTINCT ordinal, rank FROM (
           SELECT r.ordinal, r.rank FROM ${entries} e CROSS JOIN ${ranks} r ON r.ordinal = e.ordinal
           WHERE e.name = 'term' AND e.value >= ? ${end === undefined ? '' : 'AND e.value < ?'}
             AND r.partition = ? AND r.listed = 1
           ORDER BY e.value, e.ordinal LIMIT ?
         ) ORDER BY rank DESC`,
      );
      const examined = matches.rows(wanted, ...(end === undefined ? [] : [end]), partition, matchLimit);
      const start = after === undefined ? Number.POSITIVE_INFINITY : rankOf(partition, after);
      const text = database.statement<[string]>(`SELECT ${column(view)} FROM ${documents} WHERE ordinal = ?`);
      const items = examined
        .filter(([, rank]) => rank < start)
        .slice(offset, offset + Math.max(limit, 0))
        .flatMap(([ordinal]) => text.row(ordinal) ?? []);
      return { items, total: examined.length };
    },
  };
}

/** Selects the texts of a page as one row, because fetching rows one by one takes longer than finding them. */
function pageOf(ranks: string, documents: string, column: string): string {
  return `
    SELECT group_concat(d.${column}, char(${SEPARATOR.charCodeAt(0)}) ORDER BY r.rank DESC) FROM (
      SELECT rank, ordinal FROM ${ranks}
      WHERE partition = ? AND listed = 1 AND rank < ? ORDER BY rank DESC LIMIT ? OFFSET ?
    ) r CROSS JOIN ${documents} d ON d.ordinal = r.ordinal`;
}

/** First text after all texts with the prefix, in code-point order; undefined if the prefix has no successor. */
function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Surrogates are not characters, so U+E000 follows U+D7FF.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}
