/** Writes documents of a collection with their views, index entries and places in lists. */
import type { Collection, DocumentChange } from '../../kernel/ports/read-model.ts';
import { storable } from '../../kernel/ports/searchable-text.ts';
import {
  type DocumentStep,
  entryChanges,
  listMoves,
  type RowChange,
  rowChanges,
} from './collection-changes.ts';
import type { CollectionRows } from './collection-rows.ts';
import { type CollectionTables, valueTables } from './collection-tables.ts';
import type { SqliteDatabase, SqlValue } from './database.ts';
import type { ListChanges } from './list-changes.ts';
import { MANY, manyRows } from './many-rows.ts';
import type { RankedLists } from './ranked-lists.ts';

export type CollectionWriter = (definition: Collection, changes: readonly DocumentChange[]) => void;

export function createCollectionWriter(
  database: SqliteDatabase,
  tables: CollectionTables,
  stored: CollectionRows,
  lists: RankedLists,
): CollectionWriter {
  const { documents, shape } = tables;
  const columns = ['position', ...shape.views.map(tables.view), 'document'];
  const insertRow = database.statement(
    `INSERT INTO ${documents} (${columns.join(', ')}, key) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
  );
  const insertRows = manyRows(
    database,
    `INSERT INTO ${documents} (${columns.join(', ')}, key, ordinal)`,
    columns.length + 2,
  );
  const updateRow = database.statement(
    `UPDATE ${documents} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE ordinal = ?`,
  );
  const lastOrdinal = database.statement<[number | null]>(`SELECT max(ordinal) FROM ${documents}`);
  const entries = entryTables(database, tables);

  function columnsOf(
    definition: Collection,
    { position, document }: Pick<DocumentChange, 'position' | 'document'>,
  ): readonly SqlValue[] {
    const views = shape.views.map((name) => {
      const view = definition.views?.[name];
      return document && view ? JSON.stringify(view(document)) : null;
    });
    return [position, ...views, document ? JSON.stringify(document) : null];
  }

  function changeLists(definition: Collection, listChanges: ListChanges, step: DocumentStep): void {
    const { ordinal, isNew } = step;
    for (const { list, left, entered } of listMoves(shape, definition, step.before, step.after)) {
      if (left !== undefined) listChanges.leave(list, left, ordinal);
      if (entered !== undefined) listChanges.enter(list, entered, ordinal, isNew);
    }
  }

  function writeOne(definition: Collection, change: DocumentChange, listChanges: ListChanges): void {
    const key = storable(change.key);
    stored.forget(key);
    const known = stored.find(key);
    if (known !== undefined && known.position >= change.position) return;
    const values = columnsOf(definition, change);
    const ordinal = known?.ordinal ?? Number(insertRow.run(...values, key).lastInsertRowid);
    if (known !== undefined) updateRow.run(...values, ordinal);
    const step = { ordinal, isNew: known === undefined, before: known?.document, after: change.document };
    const changed = entryChanges(shape, definition, step.before, step.after);
    for (const [number, { removed, added }] of changed.entries()) {
      for (const value of removed) entries[number]?.remove(value, ordinal);
      for (const value of added) entries[number]?.add([[value, ordinal]]);
    }
    changeLists(definition, listChanges, step);
  }

  /** As `writeOne` for each, but every row is looked up and written once, many with each statement. */
  function writeMany(
    definition: Collection,
    changes: readonly DocumentChange[],
    listChanges: ListChanges,
  ): void {
    const keys = changes.map(({ key }) => storable(key));
    const found = stored.findMany(keys);
    for (const key of keys) stored.forget(key);
    const { rows, steps } = rowChanges(changes, found, (lastOrdinal.row()?.[0] ?? 0) + 1);
    for (const step of steps) changeLists(definition, listChanges, step);
    const added = rows.filter(({ isNew }) => isNew);
    insertRows(added.map((row) => [...columnsOf(definition, row), row.key, row.ordinal]));
    for (const row of rows) if (!row.isNew) updateRow.run(...columnsOf(definition, row), row.ordinal);
    writeEntries(definition, rows);
  }

  function writeEntries(definition: Collection, rows: readonly RowChange[]): void {
    const allAdded = entries.map((): [string, number][] => []);
    for (const { before, document, ordinal } of rows) {
      for (const [number, change] of entryChanges(shape, definition, before, document).entries()) {
        for (const value of change.removed) entries[number]?.remove(value, ordinal);
        for (const value of change.added) allAdded[number]?.push([value, ordinal]);
      }
    }
    // In the order of the table, neighbours are written together.
    for (const [number, entry] of entries.entries())
      entry.add(allAdded[number]?.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)) ?? []);
  }

  return (definition, changes) => {
    const listChanges = lists.change();
    if (changes.length >= MANY) writeMany(definition, changes, listChanges);
    else for (const change of changes) writeOne(definition, change, listChanges);
    listChanges.flush();
  };
}

/** In the order of `entryChanges`. */
function entryTables(database: SqliteDatabase, tables: CollectionTables) {
  const columns = [[tables.terms, 'term'], ...valueTables(tables).map((table) => [table, 'value'])];
  return columns.map(([table, column]) => {
    const remove = database.statement(`DELETE FROM ${table} WHERE ${column} = ? AND ordinal = ?`);
    return {
      // An older version may have entered the document under the value already, for another reason.
      add: manyRows(database, `INSERT OR IGNORE INTO ${table}`, 2),
      remove: (value: string, ordinal: number) => remove.run(value, ordinal),
    };
  });
}
