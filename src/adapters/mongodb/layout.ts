/**
 * What the read model keeps in MongoDB, and under which names: the registry with one document for each collection, and
 * for each filling of a generation its rows and its lists.
 */
import { type Binary, type Db, type Collection as Kept, MongoServerError } from 'mongodb';
import type { CollectionShape } from '../../kernel/ports/collection-shape.ts';
import type { Generation } from '../../kernel/ports/read-model.ts';

/** A document's place in a list: its partition and its rank there, which it has for good. */
export interface Place {
  readonly p: string;
  readonly r: number;
}

export interface PlaceInList extends Place {
  readonly l: string;
}

/** A document as it is stored. What is empty is left out. */
export interface Row {
  readonly _id: string;
  /** Position of the last event that wrote it; `RESERVED` before the first. */
  readonly p: string;
  /** Its ordinal: documents are in the order in which they were first written. */
  readonly n: number;
  readonly v?: { readonly [view: string]: string };
  /** The values under which it is found, each behind its index' name. */
  readonly x?: readonly string[];
  /** The values under which it is found in each order, and its place there. */
  readonly s?: { readonly [order: string]: { readonly v: readonly string[]; readonly p: string } };
  /** The terms under which it is found. */
  readonly t?: readonly string[];
  /** Where it is listed, by list. */
  readonly l?: { readonly [list: string]: Place };
  /** Every place that it ever had. */
  readonly o?: readonly PlaceInList[];
  /** Changed by a take-over, so that a former writer's late replacement misses. */
  readonly w?: string;
  /** JSON text, which keeps what BSON cannot; null for a tombstone. */
  readonly d: string | null;
}

/** The position of a row that only keeps an ordinal and places for a document that will be written again. */
export const RESERVED = '';

/** A partition of a list. `missing` and `blocks` count ranks whose documents have left. */
export interface ListHeader {
  readonly _id: string;
  readonly next: number;
  readonly missing: number;
  readonly blocks: { readonly [block: string]: number };
  /** Counts the writes, so that a late one misses. */
  readonly s: number;
}

/** See rank-bitmap.ts. Absent while nothing in it has left. */
export interface ListBlock {
  readonly _id: string;
  readonly bits: Binary | Uint8Array;
  readonly s: number;
}

/** What a commit is about to change, for whoever has to complete or undo it. */
export interface Pending {
  readonly fill: number;
  readonly rows: readonly PendingRow[];
}

/** The document's ordinal, and those of its places that the commit changes. */
export interface PendingRow {
  readonly k: string;
  readonly n: number;
  readonly o: readonly PlaceInList[];
}

export interface StoredGeneration extends Generation {
  /** Part of its collections' names; used once only, so that nothing late reaches what came after. */
  readonly fill: number;
  /** JSON text of its `CollectionShape`. */
  readonly shape: string;
  readonly checkpoint: string | null;
  /** The ordinal of the next new document. */
  readonly next: number;
}

export interface Registered {
  readonly _id: string;
  readonly term: number;
  readonly writer: string;
  /** Counts the writes. */
  readonly seq: number;
  readonly fills: number;
  readonly generations: readonly StoredGeneration[];
  readonly live: Generation | null;
  readonly pending: Pending | null;
}

/** Who may write, and the note that all processes read. */
export interface WriterState {
  readonly _id: 'writer';
  readonly term: number;
  /** Counts the notes. */
  readonly notes: number;
  /** JSON text. */
  readonly progress: string | null;
}

/** With less, a failover can lose documents and keep the checkpoint. */
export const WRITE_CONCERN = { w: 'majority', journal: true } as const;

/** Milliseconds that the server spends on one read at most. */
export const READ_TIME = 5_000;

const kept = { writeConcern: WRITE_CONCERN, readPreference: 'primary', promoteBuffers: true } as const;

export interface Fill {
  readonly name: string;
  readonly fill: number;
  readonly rows: Kept<Row>;
  readonly lists: Kept<ListHeader | ListBlock>;
}

export function registryOf(database: Db): Kept<Registered> {
  return database.collection('read_models', kept);
}

export function writerStateOf(database: Db): Kept<WriterState> {
  return database.collection('read_model_writer', kept);
}

/** Names hold no dash and no dot, so two fillings never share a collection. */
export function fillOf(
  database: Db,
  name: string,
  { version, fill }: Pick<StoredGeneration, 'version' | 'fill'>,
): Fill {
  const rows = `${name}_v${version}-${fill}`;
  return {
    name: rows,
    fill,
    rows: database.collection(rows, kept),
    lists: database.collection(`${rows}.lists`, kept),
  };
}

/** The name of the filling that a collection belongs to; undefined for any other collection. */
export function fillNameOf(collection: string): string | undefined {
  return /^([A-Za-z][A-Za-z0-9_]*_v\d+-\d+)(?:\.lists)?$/.exec(collection)?.[1];
}

/** Equal for both ways of saying where a document is listed. */
export function placesOfList(list: string): { readonly p: string; readonly r: string } {
  return { p: `l.${list}.p`, r: `l.${list}.r` };
}

/** The fields of an order. */
export function placesInOrder(order: string): { readonly v: string; readonly p: string } {
  return { v: `s.${order}.v`, p: `s.${order}.p` };
}

const VALUES = { x: 1, n: 1 } as const;
export const TERMS = { t: 1 } as const;

export async function createIndexes({ rows }: Fill, shape: CollectionShape): Promise<void> {
  const indexes = [
    ...(shape.indexes.length > 0 ? [{ key: VALUES, name: 'values' }] : []),
    ...(shape.orders ?? []).map((order) => {
      const { v, p } = placesInOrder(order);
      return { key: { [v]: 1 as const, [p]: 1 as const, n: 1 as const }, name: `order.${order}` };
    }),
    ...(shape.terms ? [{ key: TERMS, name: 'terms' }] : []),
    ...shape.lists.map((list) => {
      const { p, r } = placesOfList(list);
      return { key: { [p]: 1 as const, [r]: -1 as const }, name: `list.${list}` };
    }),
  ];
  // Those that are there need no right to make any.
  const there = indexes.length === 0 ? [] : await indexNames(rows);
  const missing = indexes.filter(({ name }) => !there.includes(name));
  if (missing.length > 0) await rows.createIndexes(missing);
}

const NAMESPACE_NOT_FOUND = 26;

async function indexNames(rows: Fill['rows']): Promise<readonly string[]> {
  try {
    const found = await rows.listIndexes().toArray();
    return found.map(({ name }) => String(name));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

const SEPARATOR = '\u001f';

/** Names of indexes and lists hold no separator, so the first one ends them. */
export function valueIn(index: string, value: string): string {
  return `${index}${SEPARATOR}${value}`;
}

export function headerId(list: string, partition: string): string {
  return ['h', list, partition].join(SEPARATOR);
}

export function blockId(list: string, partition: string, block: number): string {
  return ['b', String(block), list, partition].join(SEPARATOR);
}

/** A field's name cannot be a number: the server would take the fields for an array's. */
export function blockField(block: number): string {
  return `b${block}`;
}
