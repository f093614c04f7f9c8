/** The fillings that a writer has opened: what it remembers of their rows and lists, and whether they have their indexes. */
import type { Db } from 'mongodb';
import type { CollectionShape } from '../../kernel/ports/collection-shape.ts';
import { createIndexes, type Fill, fillOf, type StoredGeneration } from './layout.ts';
import { createStoredLists, type StoredLists } from './stored-lists.ts';
import { createStoredRows, type StoredRows } from './stored-rows.ts';

export interface WriterFill {
  readonly rows: StoredRows;
  readonly lists: StoredLists;
}

export interface WriterFills {
  of(entry: StoredGeneration): WriterFill;
  /** The fill of a generation that the writer need not have opened. */
  named(entry: StoredGeneration): Fill;
  makeIndexes(entry: StoredGeneration): Promise<void>;
  /** What is remembered of rows and lists; made indexes stay. */
  forget(): void;
}

export function createWriterFills(database: Db, name: string): WriterFills {
  const fills = new Map<number, WriterFill>();
  const indexed = new Set<number>();
  const named = (entry: StoredGeneration) => fillOf(database, name, entry);
  return {
    named,
    of(entry) {
      const known = fills.get(entry.fill);
      if (known !== undefined) return known;
      const fill = named(entry);
      const opened = { rows: createStoredRows(fill), lists: createStoredLists(fill) };
      fills.set(entry.fill, opened);
      return opened;
    },
    async makeIndexes(entry) {
      if (indexed.has(entry.fill)) return;
      const shape: CollectionShape = JSON.parse(entry.shape);
      await createIndexes(named(entry), shape);
      indexed.add(entry.fill);
    },
    forget: () => fills.clear(),
  };
}
