/** What a write changes in the tables of a collection, computed from the documents alone. */
import type { CollectionShape } from '../../kernel/ports/collection-shape.ts';
import type { Collection, Document, DocumentChange, StoredDocument } from '../../kernel/ports/read-model.ts';
import { searchable, storable } from '../../kernel/ports/searchable-text.ts';
import { placedValues } from './ordered-entries.ts';

/** A row of the table of documents. */
export interface StoredRow extends StoredDocument {
  readonly ordinal: number;
}

export interface RowChange extends StoredRow {
  readonly key: string;
  /** Not in the table yet. */
  readonly isNew: boolean;
  /** As the table still has it. */
  readonly before: Document | undefined;
}

/** One step from a document to its next state, for the lists, which rank documents in the order of the steps. */
export interface DocumentStep {
  readonly ordinal: number;
  /** It has no place in any list yet. */
  readonly isNew: boolean;
  readonly before: Document | undefined;
  readonly after: Document | undefined;
}

/**
 * Each row is written once, with its last state; changes that are not newer than the row are skipped. `found` has the
 * rows of the table by stored key; new rows are numbered from `nextOrdinal`.
 */
export function rowChanges(
  changes: readonly DocumentChange[],
  found: ReadonlyMap<string, StoredRow>,
  nextOrdinal: number,
): { readonly rows: readonly RowChange[]; readonly steps: readonly DocumentStep[] } {
  const rows = new Map<string, RowChange>();
  const steps: DocumentStep[] = [];
  let next = nextOrdinal;
  for (const { key: unsafe, position, document } of changes) {
    const key = storable(unsafe);
    const earlier = rows.get(key);
    const stored = found.get(key);
    const last = earlier ?? stored;
    if (last !== undefined && last.position >= position) continue;
    const ordinal = last?.ordinal ?? next++;
    steps.push({ ordinal, isNew: last === undefined, before: last?.document, after: document });
    rows.set(key, {
      key,
      ordinal,
      isNew: stored === undefined,
      position,
      document,
      before: stored?.document,
    });
  }
  return { rows: [...rows.values()], steps };
}

export interface EntryChanges {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** For the table of terms, then for the table of each index and of each order. */
export function entryChanges(
  { indexes, orders = [] }: CollectionShape,
  definition: Collection,
  before: Document | undefined,
  after: Document | undefined,
): readonly EntryChanges[] {
  const terms = (document: Document | undefined) =>
    new Set(document && definition.terms?.(document).map(searchable));
  const values = (index: string, document: Document | undefined) =>
    new Set(document && definition.indexes?.[index]?.(document).map(storable));
  const placed = (order: string, document: Document | undefined) =>
    new Set(placedValues(document && definition.orders?.[order]?.(document)));
  return [
    difference(terms(before), terms(after)),
    ...indexes.map((index) => difference(values(index, before), values(index, after))),
    ...orders.map((order) => difference(placed(order, before), placed(order, after))),
  ];
}

function difference(before: ReadonlySet<string>, after: ReadonlySet<string>): EntryChanges {
  return {
    removed: [...before].filter((value) => !after.has(value)),
    added: [...after].filter((value) => !before.has(value)),
  };
}

export interface ListMove {
  readonly list: string;
  readonly left: string | undefined;
  readonly entered: string | undefined;
}

/** The lists in which the document changes its partition. */
export function listMoves(
  { lists }: CollectionShape,
  definition: Collection,
  before: Document | undefined,
  after: Document | undefined,
): readonly ListMove[] {
  return lists.flatMap((list) => {
    const partitionOf = definition.lists?.[list];
    const left = before && partitionOf?.(before);
    const entered = after && partitionOf?.(after);
    if (left === entered) return [];
    return [
      {
        list,
        left: left === undefined ? undefined : storable(left),
        entered: entered === undefined ? undefined : storable(entered),
      },
    ];
  });
}
