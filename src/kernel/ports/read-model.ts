/**
 * Documents that projections write and queries read. `test/contracts/read-model.contract.ts` checks the guarantees of
 * every adapter.
 */
import type { JsonObject, Position } from './event-store.ts';

export type Document = JsonObject;

/**
 * Makes parameters bivariant, so that one list can hold collections of different documents: each function is only
 * called with documents of its own collection.
 */
type FunctionOf<Doc extends Document, Result> = { of(document: Doc): Result }['of'];

/** Entries of a document in an index: the values under which it is found, and its place among others of the same value. */
export interface Placed {
  readonly values: readonly string[];
  /** Places are compared by the bytes of their UTF-8. */
  readonly place: string;
}

/**
 * One kind of document. The functions say where a document is found; they must be pure, because a rebuild calls them
 * again.
 */
export interface Collection<Doc extends Document = Document> {
  readonly name: string;
  /**
   * From 1. A new version is filled beside the one that is read, and so is a new shape (indexes, lists, views, terms)
   * of the same version. An older version is read and kept up to date until then. Names are letters, digits, `_`.
   */
  readonly version: number;
  /** Look-ups by equality: the values under which the document is found. Without places, all share the same one. */
  readonly indexes?: { readonly [index: string]: FunctionOf<Doc, readonly string[] | Placed> };
  /**
   * Look-ups by prefix, ignoring case and Unicode variants of a letter (NFKC): the terms under which the document is
   * found.
   */
  readonly terms?: FunctionOf<Doc, readonly string[]>;
  /**
   * Ranked lists: the document's partition, or undefined while it is not listed. A partition is in the order in which
   * documents first entered it; a document that leaves and comes back takes its old place. A page may cost what its offset
   * costs; behind `after` it costs what the page does.
   */
  readonly lists?: { readonly [list: string]: FunctionOf<Doc, string | undefined> };
  /** Renderings stored as JSON text, ready to send. */
  readonly views?: { readonly [view: string]: FunctionOf<Doc, JsonObject> };
}

export interface StoredDocument<Doc extends Document = Document> {
  /** Position of the last event that wrote it. */
  readonly position: Position;
  /** Undefined for a tombstone: a deleted document, remembered so that a late redelivery cannot bring it back. */
  readonly document: Doc | undefined;
}

/** The stored entry of a key in a generation. */
export interface StoredEntry extends StoredDocument {
  readonly key: string;
  /** Each view's JSON text; none for a tombstone. */
  readonly views: { readonly [view: string]: string };
}

export interface EntriesOptions {
  readonly generation: Generation;
  /** Exclusive; from the first key when absent. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface DocumentChange {
  readonly key: string;
  readonly position: Position;
  /** Undefined deletes, leaving a tombstone. */
  readonly document: Document | undefined;
}

/** One filling of a collection, among those of the same or of other versions and shapes. */
export interface Generation {
  readonly version: number;
  readonly generation: number;
}

/** A build, and how far it is. */
export interface BuildState extends Generation {
  /** True if queries read it. */
  readonly isLive: boolean;
  /** The position up to which it was filled; undefined if it never was. */
  readonly checkpoint: Position | undefined;
}

export interface CollectionCommit {
  readonly collection: Collection;
  /** The generation that is changed; the collection's own when absent. Rejected when it no longer exists. */
  readonly generation?: Generation;
  readonly changes: readonly DocumentChange[];
  /** Everything up to here has been handled. If absent, or before the stored checkpoint, the checkpoint stays. */
  readonly checkpoint?: Position;
}

export interface Page {
  /** The view's JSON text for each document. */
  readonly items: readonly string[];
  /** The number of documents in the whole list, or among the examined matches. */
  readonly total: number;
}

export interface PageOptions {
  readonly view: string;
  readonly offset: number;
  readonly limit: number;
  /**
   * A document's key: only documents behind it, from which `offset` counts then. It need not be in the list any more; there
   * are none if it never was.
   */
  readonly after?: string | undefined;
}

export interface SearchOptions extends PageOptions {
  readonly prefix: string;
  readonly matchLimit: number;
}

export interface FindOptions {
  readonly limit?: number | undefined;
  readonly descending?: boolean;
  /**
   * Exclusive: the key of a document in an index without places, or a place. All that share the place are passed over, or with
   * a document's key those up to it.
   */
  readonly after?: string | { readonly place: string; readonly key?: string } | undefined;
}

export interface ReadModel {
  /**
   * Registers the collections and creates their tables. Unnamed collections keep their documents. A collection whose
   * version, indexes, lists, views or terms changed starts empty beside the live one, until it goes live; one that was
   * interrupted on the way continues where it stopped. Rejects with a TypeError when a name is not allowed. All other
   * calls with a collection reject until that very version and shape was prepared.
   */
  prepare(collections: readonly Collection[]): Promise<void>;

  /** The latest generation of this very version and shape. */
  own(collection: Collection): Promise<BuildState>;

  /** The generation that queries read; undefined while nothing is live, or only a newer version. */
  served(collection: Collection): Promise<BuildState | undefined>;

  /** The documents stored under the keys in the generation, the collection's own when absent, including tombstones. */
  load(
    collection: Collection,
    keys: readonly string[],
    generation?: Generation,
  ): Promise<ReadonlyMap<string, StoredDocument>>;

  /**
   * What the generation holds, including tombstones, in the order of the keys' UTF-8 bytes: at most `limit` entries, none
   * when no key comes after `after`. For comparing and copying: a document that changes between two calls is given as it is
   * then.
   */
  entries(collection: Collection, options: EntriesOptions): Promise<readonly StoredEntry[]>;

  /**
   * Invalid input writes nothing. Skips a change whose position is not after the stored document's, so that repeating a
   * commit changes nothing. After an interruption, the same changes again from the checkpoint, in commits of any size,
   * give the same documents and lists as without it. Until then a part of them may be visible, never the checkpoint
   * without its changes; a store that says so in its tests (`atomicCommit`) writes everything or nothing.
   */
  commit(commits: readonly CollectionCommit[]): Promise<void>;

  /**
   * Begins an empty generation of this version and shape, and makes it the collection's own. What is live stays, and another
   * generation that is not live is removed; with `nothing` all are removed, so that nothing can be read until `goLive`.
   */
  renew(collection: Collection, keep: 'live' | 'nothing'): Promise<Generation>;

  /**
   * Makes the collection's own generation the live one, in one commit, and removes all others. Until then `get`, `find`,
   * `count`, `page` and `search` read what was live before, and reject with `CollectionNotLive` when nothing was, when it is
   * of a newer version, or when it lacks the requested index, list or view.
   */
  goLive(collection: Collection): Promise<void>;

  /** The document is shared with other callers, and may be frozen. */
  get<Doc extends Document>(collection: Collection<Doc>, key: string): Promise<Doc | undefined>;

  /**
   * Documents under an index value by place, and at one place in the order in which they were first written; `descending`
   * turns both around. A document whose key `after` names need not have the value or still exist; none are found if it
   * never existed. The cost depends only on the documents returned.
   */
  find<Doc extends Document>(
    collection: Collection<Doc>,
    index: string,
    value: string,
    options?: FindOptions,
  ): Promise<readonly Doc[]>;

  /** The number of documents that `find` would give, without reading them; `most` where there are more. */
  count(collection: Collection, index: string, value: string, most?: number): Promise<number>;

  /**
   * A page of a ranked list, newest first. Past the end: no items, and the true total. A large offset may cost time, in steps
   * that let other work go on.
   */
  page(collection: Collection, list: string, partition: string, options: PageOptions): Promise<Page>;

  /**
   * Documents in `partition` of `list` with a term that starts with `prefix`, newest first. At most `matchLimit`
   * documents are looked at, those with the first terms. `total` counts the documents found that way, each once.
   */
  search(collection: Collection, list: string, partition: string, options: SearchOptions): Promise<Page>;

  close(): Promise<void>;
}

/** The collection has not been filled yet: a read would find nothing. */
export class CollectionNotLive extends Error {
  override readonly name = 'CollectionNotLive';
  readonly collection: string;
  constructor(collection: string) {
    super(`the read model "${collection}" is still being built`);
    this.collection = collection;
  }
}
