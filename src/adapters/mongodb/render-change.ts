/** A document as it will be stored. Everything that a definition's functions may throw is thrown here. */
import { Buffer } from 'node:buffer';
import type { CollectionShape } from '../../kernel/ports/collection-shape.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Collection, Document, DocumentChange } from '../../kernel/ports/read-model.ts';
import { searchable, storable } from '../../kernel/ports/searchable-text.ts';
import { type Row, valueIn } from './layout.ts';

export interface RenderedChange {
  readonly key: string;
  readonly position: Position;
  readonly text: string | null;
  readonly views: { readonly [view: string]: string };
  readonly values: readonly string[];
  readonly orders: NonNullable<Row['s']>;
  readonly terms: readonly string[];
  /** Its partition in each list; undefined where it is not listed. Lists that the definition lacks are absent. */
  readonly partitions: ReadonlyMap<string, string | undefined>;
  /** About how much of it is stored. */
  readonly bytes: number;
}

/** The server takes 16 MiB; keys, places and field names need their part. */
const MOST_BYTES = 15 * 1_048_576;

/** @throws what the definition's functions throw, and RangeError when the document is too large for the server. */
export function renderChange(
  definition: Collection,
  shape: CollectionShape,
  { key, position, document }: DocumentChange,
): RenderedChange {
  const text = document ? JSON.stringify(document) : null;
  const views = document ? viewsOf(definition, shape, document) : {};
  const values = document ? valuesOf(definition, shape, document) : [];
  const terms = document && shape.terms ? [...new Set(definition.terms?.(document).map(searchable))] : [];
  const partitions = partitionsOf(definition, shape, document);
  const orders = document ? ordersOf(definition, shape, document) : {};
  const placed = Object.values(orders).flatMap(({ v, p }) => [...v, p]);
  const texts = [key, text ?? '', ...Object.values(views), ...values, ...placed, ...terms];
  const bytes = texts.reduce((sum, each) => sum + Buffer.byteLength(each) + 12, 0);
  if (bytes > MOST_BYTES) {
    throw new RangeError(
      `the document "${key}" of "${definition.name}" needs ${bytes} bytes, and MongoDB takes ${MOST_BYTES}`,
    );
  }
  return { key: storable(key), position, text, views, values, orders, terms, partitions, bytes };
}

function viewsOf(
  definition: Collection,
  shape: CollectionShape,
  document: Document,
): { readonly [view: string]: string } {
  const views: { [view: string]: string } = {};
  for (const name of shape.views) {
    const view = definition.views?.[name];
    if (view !== undefined) views[name] = JSON.stringify(view(document));
  }
  return views;
}

function valuesOf(definition: Collection, shape: CollectionShape, document: Document): readonly string[] {
  const values = shape.indexes.flatMap((index) =>
    (definition.indexes?.[index]?.(document) ?? []).map((value) => valueIn(index, storable(value))),
  );
  return [...new Set(values)];
}

function ordersOf(
  definition: Collection,
  { orders = [] }: CollectionShape,
  document: Document,
): NonNullable<Row['s']> {
  const found = orders.flatMap((order) => {
    const ordered = definition.orders?.[order]?.(document);
    if (ordered === undefined || ordered.values.length === 0) return [];
    return [[order, { v: [...new Set(ordered.values.map(storable))], p: storable(ordered.place) }] as const];
  });
  return Object.fromEntries(found);
}

function partitionsOf(
  definition: Collection,
  shape: CollectionShape,
  document: Document | undefined,
): ReadonlyMap<string, string | undefined> {
  const partitions = new Map<string, string | undefined>();
  for (const list of shape.lists) {
    const partitionOf = definition.lists?.[list];
    // A newer definition may lack it: there a document stays where it is, unless it is deleted.
    if (document === undefined) partitions.set(list, undefined);
    else if (partitionOf !== undefined) {
      const partition = partitionOf(document);
      partitions.set(list, partition === undefined ? undefined : storable(partition));
    }
  }
  return partitions;
}
