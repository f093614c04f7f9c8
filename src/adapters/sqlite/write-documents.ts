/** Writes documents of one build with their views, entries and ranks. Must run within a transaction. */
import { placed, searchable, storable } from '../../kernel/ports/collection-shape.ts';
import type { Collection, Document, DocumentChange } from '../../kernel/ports/read-model.ts';
import type { BuildTables } from './build-tables.ts';
import type { SqliteDatabase } from './database.ts';

type Entry = readonly [name: string, value: string, place: string];
type EntryRow = readonly [...Entry, ordinal: number];

/** Rows per INSERT statement. Each size is prepared once; one call of the driver costs more than inserting a row. */
const ROWS_PER_INSERT = [64, 8, 1] as const;

/** Maximum number of entries buffered before they are written. */
const MAX_ENTRIES = 65_536;

export type WriteDocuments = (definition: Collection, changes: readonly DocumentChange[]) => void;

export function createDocumentWriter(database: SqliteDatabase, tables: BuildTables): WriteDocuments {
  const { documents, views, view } = tables;
  const columns = ['position', ...views.map(view), 'document'];
  const find = database.statement<[ordinal: number, position: string, document: string | null]>(
    `SELECT ordinal, position, document FROM ${documents} WHERE key = ?`,
  );
  const insert = database.statement(
    `INSERT INTO ${documents} (${columns.join(', ')}, key) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
  );
  const update = database.statement(
    `UPDATE ${documents} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE ordinal = ?`,
  );
  const createEntryChanges = createEntryWriter(database, tables);
  const changeLists = createListWriter(database, tables);

  return (definition, changes) => {
    const entries = createEntryChanges();
    for (const { key: text, position, document } of changes) {
      const key = storable(text);
      const [known, stored, json] = find.row(key) ?? [];
      if (stored !== undefined && stored >= position) continue;
      const before: Document | undefined = json == null ? undefined : JSON.parse(json);
      const rendered = views.map((name) => {
        const render = definition.views?.[name];
        return document && render ? JSON.stringify(render(document)) : null;
      });
      const row = [position, ...rendered, document ? JSON.stringify(document) : null];
      const ordinal = known ?? Number(insert.run(...row, key).lastInsertRowid);
      if (known !== undefined) update.run(...row, ordinal);
      changeLists(definition, ordinal, before, document);
      entries.change(ordinal, entriesOf(definition, before), entriesOf(definition, document));
    }
    entries.flush();
  };
}

/** Entry changes of one call of `WriteDocuments`: deletes immediately, and buffers insertions until `flush`. */
function createEntryWriter(database: SqliteDatabase, { entries }: BuildTables) {
  const remove = database.statement(
    `DELETE FROM ${entries} WHERE name = ? AND value = ? AND place = ? AND ordinal = ?`,
  );
  const inserts = ROWS_PER_INSERT.map((size) => ({
    size,
    // The entry may exist already: a newer definition of the collection can have written it.
    insert: database.statement(
      `INSERT OR IGNORE INTO ${entries} VALUES ${Array(size).fill('(?, ?, ?, ?)').join(', ')}`,
    ),
  }));

  return () => {
    let added: EntryRow[] = [];
    let changed = new Set<number>();

    function flush(): void {
      // Sorted like the table, so that adjacent rows are written together.
      const rows = added.sort(byNameAndValue);
      added = [];
      changed = new Set();
      let next = 0;
      for (const { size, insert } of inserts)
        for (; rows.length - next >= size; next += size) insert.run(...rows.slice(next, next + size).flat());
    }

    return {
      flush,
      change(ordinal: number, before: readonly Entry[], after: readonly Entry[]) {
        if (changed.has(ordinal) || added.length > MAX_ENTRIES) flush();
        changed.add(ordinal);
        for (const entry of without(before, after)) remove.run(...entry, ordinal);
        for (const entry of without(after, before)) added.push([...entry, ordinal]);
      },
    };
  };
}

function createListWriter(database: SqliteDatabase, { partitions, ranks }: BuildTables) {
  const find = database.statement<[number]>(`SELECT id FROM ${partitions} WHERE list = ? AND name = ?`);
  const insert = database.statement(`INSERT INTO ${partitions} (list, name) VALUES (?, ?)`);
  const last = (listed: 0 | 1) =>
    `coalesce((SELECT max(rank) FROM ${ranks} WHERE partition = ?1 AND listed = ${listed}), -1)`;
  // A partition's documents, including those that left it, are numbered from 0.
  const enter = database.statement(
    `INSERT INTO ${ranks} VALUES (?1, 1, 1 + max(${last(0)}, ${last(1)}), ?2)
     ON CONFLICT (ordinal, partition) DO UPDATE SET listed = 1`,
  );
  const leave = database.statement(`UPDATE ${ranks} SET listed = 0 WHERE partition = ? AND ordinal = ?`);

  function partitionOf(list: string, name: string): number {
    const text = storable(name);
    return find.row(list, text)?.[0] ?? Number(insert.run(list, text).lastInsertRowid);
  }

  return (
    { lists = {} }: Collection,
    ordinal: number,
    before: Document | undefined,
    after: Document | undefined,
  ): void => {
    for (const [list, of] of Object.entries(lists)) {
      const [left, entered] = [before && of(before), after && of(after)];
      if (left === entered) continue;
      if (left !== undefined) leave.run(partitionOf(list, left), ordinal);
      if (entered !== undefined) enter.run(partitionOf(list, entered), ordinal);
    }
  };
}

function byNameAndValue([name, value]: EntryRow, [otherName, otherValue]: EntryRow): number {
  if (name !== otherName) return name < otherName ? -1 : 1;
  if (value === otherValue) return 0;
  return value < otherValue ? -1 : 1;
}

function without(entries: readonly Entry[], others: readonly Entry[]): readonly Entry[] {
  if (others.length === 0) return entries;
  const texts = new Set(others.map(textOf));
  return entries.filter((entry) => !texts.has(textOf(entry)));
}

function textOf([name, value, place]: Entry): string {
  return `${name}\0${value}\0${place}`;
}

/** Index and term entries of the document; may contain duplicates. */
function entriesOf({ indexes = {}, terms }: Collection, document: Document | undefined): readonly Entry[] {
  if (document === undefined) return [];
  const entries: Entry[] = [];
  for (const [index, of] of Object.entries(indexes)) {
    const name = `index ${index}`;
    const { values, place } = placed(of(document));
    for (const value of values) entries.push([name, storable(value), storable(place)]);
  }
  for (const term of terms?.(document) ?? []) entries.push(['term', searchable(term), '']);
  return entries;
}
