/**
 * Documents that projections write and queries read. The guarantees are checked of every adapter by
 * `test/contracts/read-model.contract.ts`.
 */
import type { JsonObject, Position } from './event-store.ts';

export type Document = JsonObject;

/**
 * Parameters compare both ways, so that collections of different documents can stand in one list: each is only ever
 * called with documents that it wrote itself.
 */
type FunctionOf<Doc extends Document, Result> = { of(document: Doc): Result }['of'];

/**
 * One kind of document. The functions say, of a document, where it is found; they must be pure, because a rebuild
 * calls them again.
 */
export interface Collection<Doc extends Document = Document> {
  readonly name: string;
  /**
   * From 1; another version is filled beside the one that is read, and so is another shape (indexes, lists, views, terms)
   * of the same. Names are letters, digits, `_`.
   */
  readonly version: number;
  /** Look-ups by equality: the values under which the document is found. */
  readonly indexes?: { readonly [index: string]: FunctionOf<Doc, readonly string[]> };
  /** Look-ups by prefix, ignoring case and ways of writing the same letter (NFKC): the terms under which the document is found. */
  readonly terms?: FunctionOf<Doc, readonly string[]>;
  /**
   * Ranked lists: the partition in which the document stands, or undefined while it is not listed. A partition is in
   * the order in which documents first entered it; one that left and comes back stands in its old place. A page costs
   * the same wherever it is, and leaving a list moves nothing.
   */
  readonly lists?: { readonly [list: string]: FunctionOf<Doc, string | undefined> };
  /** Renderings stored as JSON text, ready to send. */
  readonly views?: { readonly [view: string]: FunctionOf<Doc, JsonObject> };
}

export interface StoredDocument<Doc extends Document = Document> {
  /** Position of the event that wrote it last. */
  readonly position: Position;
  /** Undefined for a tombstone: deleted, and remembered so that a late redelivery cannot bring it back. */
  readonly document: Doc | undefined;
}

export interface DocumentChange {
  readonly key: string;
  readonly position: Position;
  /** Undefined deletes, leaving a tombstone. */
  readonly document: Document | undefined;
}

export interface CollectionCommit {
  readonly collection: Collection;
  readonly changes: readonly DocumentChange[];
  /** Everything up to here has been handled. Absent, or before the one that is stored: the checkpoint stays. */
  readonly checkpoint?: Position;
}

export interface Page {
  /** The view's JSON text of each document. */
  readonly items: readonly string[];
  /** How many there are in the whole list, or among the matches looked at. */
  readonly total: number;
}

export interface FindOptions {
  readonly limit?: number;
  readonly newestFirst?: boolean;
  /** A document's key. */
  readonly after?: string;
}

export interface ReadModel {
  /**
   * Makes the collections known and their tables ready. Collections that are not named keep what they hold. One that has
   * another version than before, or other indexes, lists, views or terms, begins empty beside what there is, until it
   * goes live; one that began so and was interrupted goes on where it was. Rejects with a TypeError when a name is not
   * allowed. Everything else that takes a collection rejects until it was prepared as it is.
   */
  prepare(collections: readonly Collection[]): Promise<void>;

  /** What is stored under the keys in this version and shape of the collection, live or not, tombstones included. */
  load(collection: Collection, keys: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>>;

  /**
   * Writes everything or nothing. A change whose position is not after the stored document's is skipped, so that the
   * same commit again changes nothing.
   */
  commit(commits: readonly CollectionCommit[]): Promise<void>;

  /** How far the collection has been filled; undefined when it never was. */
  checkpoint(collection: Collection): Promise<Position | undefined>;

  /** Empties the collection and forgets its checkpoint. It is not read again until it goes live. */
  clear(collection: Collection): Promise<void>;

  /**
   * Makes this version and shape of the collection the one that is read, in one commit, and removes all others. Until
   * then `get`, `find`, `count`, `page` and `search` read what was live before, and reject with
   * `CollectionNotLive` when there was none, or when it lacks the index, list or view that is asked for.
   */
  goLive(collection: Collection): Promise<void>;
  isLive(collection: Collection): Promise<boolean>;

  /** The document is shared with other callers, and may be frozen. */
  get<Doc extends Document>(collection: Collection<Doc>, key: string): Promise<Doc | undefined>;

  /**
   * Documents under an index value, in the order in which they were first written (newest first if `newestFirst`). With
   * `after` only those that come behind the document of that key, which need not be under the value, or be there any
   * more; none if it never was. What is read costs, and nothing that is left out.
   */
  find<Doc extends Document>(
    collection: Collection<Doc>,
    index: string,
    value: string,
    options?: FindOptions,
  ): Promise<readonly Doc[]>;

  /** How many documents `find` would give, without reading any of them. */
  count(collection: Collection, index: string, value: string): Promise<number>;

  /** A stretch of a ranked list, newest first. Past the end: no items, and the true total. */
  page(
    collection: Collection,
    list: string,
    partition: string,
    options: { readonly view: string; readonly offset: number; readonly limit: number },
  ): Promise<Page>;

  /**
   * Documents with a term that starts with `prefix` and that stand in `partition` of `list`, newest first. A match is a
   * term of such a document: at most `matchLimit` of them are looked at, in the order of the terms. `total` counts the
   * documents found by these, each once.
   */
  search(
    collection: Collection,
    list: string,
    partition: string,
    options: {
      readonly prefix: string;
      readonly view: string;
      readonly offset: number;
      readonly limit: number;
      readonly matchLimit: number;
    },
  ): Promise<Page>;

  close(): Promise<void>;
}

/** The collection has not been filled: reading it would answer from nothing. */
export class CollectionNotLive extends Error {
  override readonly name = 'CollectionNotLive';
  readonly collection: string;
  constructor(collection: string) {
    super(`the read model "${collection}" is still being built`);
    this.collection = collection;
  }
}
