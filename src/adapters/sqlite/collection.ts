/** One version of a collection in SQLite: writes documents with their index entries, and finds them. */
import type { Position } from '../../ports/event-store.ts';
import type {
  Collection,
  Document,
  DocumentChange,
  FindOptions,
  Page,
  StoredDocument,
  StoredEntry,
} from '../../ports/read-model.ts';
import { searchable, storable } from '../../ports/searchable-text.ts';
import type { CollectionTables } from './collection-tables.ts';
import type { SqliteDatabase, SqlValue } from './database.ts';
import { createKeptDocuments } from './kept-documents.ts';
import { manyRows } from './many-rows.ts';
import { createRankedLists, type ListChanges } from './ranked-lists.ts';

export interface SearchOptions {
  readonly prefix: string;
  readonly view: string;
  readonly offset: number;
  readonly limit: number;
  readonly matchLimit: number;
}

/** All synchronous. Writing must happen within a transaction. */
export interface SqliteCollection {
  /** What the next `write` should know, one `load` after another, can be gathered by `continued` ones. */
  load(keys: readonly string[], continued?: 'continued'): ReadonlyMap<string, StoredDocument>;
  /** In the order of keys. */
  entries(after: string | undefined, limit: number): readonly StoredEntry[];
  /** The document alone, possibly shared with other callers. Must not be called within a transaction. */
  get(key: string): Document | undefined;
  write(definition: Collection, changes: readonly DocumentChange[]): void;
  find(index: string, value: string, options: FindOptions): readonly Document[];
  count(index: string, value: string): number;
  page(list: string, partition: string, view: string, offset: number, limit: number): Page;
  search(list: string, partition: string, options: SearchOptions): Page;
  /** Must be called when others have changed the tables. */
  forget(): void;
}

interface Found {
  readonly ordinal: number;
  readonly position: Position;
  readonly document: Document | undefined;
}

interface Written extends Found {
  readonly key: string;
  /** Not in the table yet. */
  readonly isNew: boolean;
  /** As the table still has it. */
  readonly before: Document | undefined;
}

/** From here on, writing with few statements pays. */
const MANY = 8;

/** Pages kept between two writes: the first ones are requested repeatedly. Bounds their memory. */
const PAGES_KEPT = 128;

/** The same for documents. */
const DOCUMENTS_KEPT = 512;

/** Separates the texts of a page. JSON escapes control characters, so no text contains it. */
const SEPARATOR = '\u001f';

export function createSqliteCollection(database: SqliteDatabase, tables: CollectionTables): SqliteCollection {
  const { documents, terms, ranked, places, shape } = tables;
  const lists = createRankedLists(database, tables);
  const pages = new Map<string, Page>();
  const kept = createKeptDocuments(DOCUMENTS_KEPT);
  const columns = ['position', ...shape.views.map(tables.view), 'document'];
  const findRow = database.statement<[number, string, string | null]>(
    `SELECT ordinal, position, document FROM ${documents} WHERE key = ?`,
  );
  const findRows = database.statement<[string, number, string, string | null]>(
    `SELECT key, ordinal, position, document FROM ${documents} WHERE key IN (SELECT value FROM json_each(?))`,
  );
  const insertRow = database.statement(
    `INSERT INTO ${documents} (${columns.join(', ')}, key) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
  );
  const insertRows = manyRows(
    database,
    `INSERT INTO ${documents} (${columns.join(', ')}, key, ordinal)`,
    columns.length + 2,
  );
  const lastOrdinal = database.statement<[number | null]>(`SELECT max(ordinal) FROM ${documents}`);
  /** What the latest `load` found, by key as in the tables, until it is written: spares a write the look-up. */
  let loaded = new Map<string, Found | undefined>();
  const updateRow = database.statement(
    `UPDATE ${documents} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE ordinal = ?`,
  );
  const entries = [terms, ...shape.indexes.map(tables.index)].map((table) => ({
    // An older version may have entered the document under the value already, for another reason.
    add: manyRows(database, `INSERT OR IGNORE INTO ${table}`, 2),
    remove: database.statement(
      `DELETE FROM ${table} WHERE ${table === terms ? 'term' : 'value'} = ? AND ordinal = ?`,
    ),
  }));

  function writeOne(definition: Collection, change: DocumentChange, listChanges: ListChanges): void {
    const key = storable(change.key);
    kept.forget(key);
    loaded.delete(key);
    const [known, position, before] = findRow.row(key) ?? [];
    if (position !== undefined && position >= change.position) return;
    const { document } = change;
    const values = [
      change.position,
      ...viewsOf(definition, document),
      document ? JSON.stringify(document) : null,
    ];
    const ordinal = known ?? Number(insertRow.run(...values, key).lastInsertRowid);
    if (known !== undefined) updateRow.run(...values, known);
    const old: Document | undefined = typeof before === 'string' ? JSON.parse(before) : undefined;

    const wasUnder = placesOf(definition, old);
    const isUnder = placesOf(definition, document);
    for (const [number, entry] of entries.entries()) {
      const [was, is] = [wasUnder[number], isUnder[number]];
      for (const value of was ?? []) if (!is?.has(value)) entry.remove.run(value, ordinal);
      for (const value of is ?? []) if (!was?.has(value)) entry.add([[value, ordinal]]);
    }
    changeLists(definition, listChanges, { ordinal, isNew: known === undefined }, old, document);
  }

  function changeLists(
    definition: Collection,
    listChanges: ListChanges,
    { ordinal, isNew }: Pick<Written, 'ordinal' | 'isNew'>,
    before: Document | undefined,
    after: Document | undefined,
  ): void {
    for (const list of shape.lists) {
      const partitionOf = definition.lists?.[list];
      const was = before && partitionOf?.(before);
      const is = after && partitionOf?.(after);
      if (was === is) continue;
      if (was !== undefined) listChanges.leave(list, storable(was), ordinal);
      if (is !== undefined) listChanges.enter(list, storable(is), ordinal, isNew);
    }
  }

  /** As `writeOne` for each, but every row is looked up and written once, many with each statement. */
  function writeMany(
    definition: Collection,
    changes: readonly DocumentChange[],
    listChanges: ListChanges,
  ): void {
    const found = foundFor(changes.map(({ key }) => storable(key)));
    const written = new Map<string, Written>();
    let next = (lastOrdinal.row()?.[0] ?? 0) + 1;
    for (const { key: unsafe, position, document } of changes) {
      const key = storable(unsafe);
      kept.forget(key);
      loaded.delete(key);
      const earlier = written.get(key);
      const stored = found.get(key);
      const before = earlier ?? stored;
      if (before !== undefined && before.position >= position) continue;
      const ordinal = before?.ordinal ?? next++;
      // It has no place in any list yet if it is new to the table and was in none a moment ago.
      const isNew = stored === undefined;
      const isUnplaced = isNew && earlier === undefined;
      changeLists(definition, listChanges, { ordinal, isNew: isUnplaced }, before?.document, document);
      written.set(key, { key, ordinal, isNew, position, document, before: stored?.document });
    }
    const rows = [...written.values()];
    const columnsOf = ({ position, document }: Written): readonly SqlValue[] => [
      position,
      ...viewsOf(definition, document),
      document ? JSON.stringify(document) : null,
    ];
    insertRows(rows.filter(({ isNew }) => isNew).map((row) => [...columnsOf(row), row.key, row.ordinal]));
    for (const row of rows) if (!row.isNew) updateRow.run(...columnsOf(row), row.ordinal);

    const added = entries.map((): [string, number][] => []);
    for (const { before, document, ordinal } of rows) {
      const wasUnder = placesOf(definition, before);
      const isUnder = placesOf(definition, document);
      for (const [number, entry] of entries.entries()) {
        const [was, is] = [wasUnder[number], isUnder[number]];
        for (const value of was ?? []) if (!is?.has(value)) entry.remove.run(value, ordinal);
        for (const value of is ?? []) if (!was?.has(value)) added[number]?.push([value, ordinal]);
      }
    }
    // In the order of the table, neighbours are written together.
    for (const [number, entry] of entries.entries())
      entry.add(added[number]?.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)) ?? []);
  }

  /** By key as in the tables. */
  function foundFor(keys: readonly string[]): ReadonlyMap<string, Found> {
    const found = new Map<string, Found>();
    const missing: string[] = [];
    for (const key of new Set(keys)) {
      const known = loaded.get(key);
      if (known !== undefined) found.set(key, known);
      else if (!loaded.has(key)) missing.push(key);
    }
    if (missing.length === 0) return found;
    for (const [key, ordinal, position, text] of findRows.rows(JSON.stringify(missing))) {
      found.set(key, { ordinal, position, document: text === null ? undefined : JSON.parse(text) });
    }
    return found;
  }

  function viewsOf(definition: Collection, document: Document | undefined): readonly SqlValue[] {
    return shape.views.map((name) => {
      const view = definition.views?.[name];
      return document && view ? JSON.stringify(view(document)) : null;
    });
  }

  /** In the order of `entries`: the terms, then the values of each index. */
  function placesOf(definition: Collection, document: Document | undefined): readonly Set<string>[] {
    if (!document) return [];
    return [
      new Set(definition.terms?.(document).map(searchable)),
      ...shape.indexes.map((index) => new Set(definition.indexes?.[index]?.(document).map(storable))),
    ];
  }

  function readPage(list: string, partition: string, view: string, offset: number, limit: number): Page {
    const { id, total } = lists.find(list, partition) ?? { id: 0, total: 0 };
    if (offset >= total || limit <= 0) return { items: [], total };
    // One row for all: fetching single rows takes longer than finding them.
    const page = database.statement<[string]>(
      `SELECT group_concat(text, char(${SEPARATOR.charCodeAt(0)}) ORDER BY rank DESC) FROM (
         SELECT r.rank AS rank, d.${tables.view(view)} AS text
         FROM ${ranked} r CROSS JOIN ${documents} d ON d.ordinal = r.ordinal
         WHERE r.partition = ? AND r.rank <= ? ORDER BY r.rank DESC LIMIT ?
       )`,
    );
    const [texts] = page.row(id, lists.rankAt(list, partition, offset), limit) ?? [];
    return { items: texts?.split(SEPARATOR) ?? [], total };
  }

  function loadOne(key: string): Found | undefined {
    const row = findRow.row(key);
    if (!row) return undefined;
    const [ordinal, position, document] = row;
    return { ordinal, position, document: document === null ? undefined : JSON.parse(document) };
  }

  function load(keys: readonly string[], continued?: 'continued'): ReadonlyMap<string, StoredDocument> {
    if (continued === undefined) loaded = new Map();
    if (keys.length < MANY) {
      return new Map(
        keys.flatMap((key): (readonly [string, StoredDocument])[] => {
          const found = loadOne(storable(key));
          return found ? [[key, storedOf(found)]] : [];
        }),
      );
    }
    const stored = keys.map(storable);
    const found = foundFor(stored);
    for (const key of stored) loaded.set(key, found.get(key));
    return new Map(
      keys.flatMap((key, index): (readonly [string, StoredDocument])[] => {
        const one = found.get(stored[index] ?? '');
        return one ? [[key, storedOf(one)]] : [];
      }),
    );
  }

  return {
    load,

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

    get: (key) => kept.get(storable(key), (stored) => loadOne(stored)?.document),

    write(definition, changes) {
      pages.clear();
      const listChanges = lists.change();
      if (changes.length >= MANY) writeMany(definition, changes, listChanges);
      else for (const change of changes) writeOne(definition, change, listChanges);
      listChanges.flush();
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

    count(index, value) {
      const counted = database.statement<[number]>(
        `SELECT count(*) FROM ${tables.index(index)} WHERE value = ?`,
      );
      return counted.row(storable(value))?.[0] ?? 0;
    },

    page(list, partition, view, offset, limit) {
      const key = JSON.stringify([list, partition, view, offset, limit]);
      const known = pages.get(key);
      if (known) return known;
      const page = readPage(list, storable(partition), view, offset, limit);
      if (pages.size === PAGES_KEPT) pages.clear();
      pages.set(key, page);
      return page;
    },

    forget() {
      pages.clear();
      kept.forgetAll();
      loaded = new Map();
    },

    search(list, partition, { prefix, view, offset, limit, matchLimit }) {
      const wanted = searchable(prefix);
      const { id } = lists.find(list, storable(partition)) ?? {};
      if (id === undefined || matchLimit <= 0) return { items: [], total: 0 };
      const end = endOfPrefix(wanted);
      const matches = database.statement<[number]>(
        `SELECT DISTINCT ordinal FROM (
           SELECT p.ordinal, p.rank FROM ${terms} t CROSS JOIN ${places} p ON p.ordinal = t.ordinal
           WHERE t.term >= ? ${end === undefined ? '' : 'AND t.term < ?'} AND p.partition = ? AND p.listed = 1
           ORDER BY t.term, t.ordinal LIMIT ?
         ) ORDER BY rank DESC`,
      );
      const found = matches.rows(wanted, ...(end === undefined ? [] : [end]), id, matchLimit);
      const text = database.statement<[string]>(
        `SELECT ${tables.view(view)} FROM ${documents} WHERE ordinal = ?`,
      );
      const items = found
        .slice(offset, offset + Math.max(limit, 0))
        .flatMap(([ordinal]) => text.row(ordinal) ?? []);
      return { items, total: found.length };
    },
  };
}

function storedOf({ position, document }: Found): StoredDocument {
  return { position, document };
}

/** The first text after all with the prefix, in code-point order; undefined if there is none. */
function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Surrogates are not characters; the one after U+D7FF is U+E000.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}
