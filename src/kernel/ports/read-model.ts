/**
 * Documents that projections write and queries read. `test/contracts/read-model.contract.ts` checks the guarantees of every
 * adapter.
 */
import type { JsonObject, Position } from './event-store.ts';

export type Document = JsonObject;

/**
 * Makes parameters bivariant, so that one list can contain collections of different documents: each function is only called
 * with documents of its own collection.
 */
type FunctionOf<Doc extends Document, Result> = { of(document: Doc): Result }['of'];

/** Entry of a document in an index: values under which it is found, and its sort key among documents with the same value. */
export interface Placed {
  readonly values: readonly string[];
  /** Sort key, compared by UTF-8 bytes. */
  readonly place: string;
}

/** Kind of documents. The functions define how documents are found; they must be pure, because a rebuild calls them again. */
export interface Collection<Doc extends Document = Document> {
  readonly name: string;
  /**
   * Integer from 1. A new version, or a new shape (indexes, lists, views, terms) of the same version, is filled while the
   * older one is read and updated. Names are letters, digits, `_`.
   */
  readonly version: number;
  /** Queries by equality: values under which the document is found. Without `place`, all documents have the same sort key. */
  readonly indexes?: { readonly [index: string]: FunctionOf<Doc, readonly string[] | Placed> };
  /** Queries by prefix, ignoring case and Unicode variants of a letter (NFKC): terms under which the document is found. */
  readonly terms?: FunctionOf<Doc, readonly string[]>;
  /**
   * Ranked lists: partition of the document, or undefined while it is not listed. A partition orders its documents by
   * the time when they first entered it. A document that leaves and returns regains its rank. The cost of a page by number may
   * grow with its offset; the cost of a page after a document (`after`) does not.
   */
  readonly lists?: { readonly [list: string]: FunctionOf<Doc, string | undefined> };
  /** Renderings stored as JSON text, ready to send. */
  readonly views?: { readonly [view: string]: FunctionOf<Doc, JsonObject> };
}

export interface StoredDocument<Doc extends Document = Document> {
  /** Position of the last event that changed the document. */
  readonly position: Position;
  /** Undefined for a tombstone: a deleted document, recorded so that a late redelivery cannot restore it. */
  readonly document: Doc | undefined;
}

/** Stored entry of a key in a build. */
export interface StoredEntry extends StoredDocument {
  readonly key: string;
  /** JSON text of each view; empty for a tombstone. */
  readonly views: { readonly [view: string]: string };
}

export interface EntriesOptions {
  readonly generation: Generation;
  /** Exclusive; default: from the first key. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface DocumentChange {
  readonly key: string;
  readonly position: Position;
  /** Undefined deletes, leaving a tombstone. */
  readonly document: Document | undefined;
}

/** Identifies one of several builds of a collection. */
export interface Generation {
  readonly version: number;
  readonly generation: number;
}

export interface BuildState extends Generation {
  /** True if queries read the build. */
  readonly isLive: boolean;
  /** Position up to which the build was filled; undefined if never. */
  readonly checkpoint: Position | undefined;
}

export interface CollectionCommit {
  readonly collection: Collection;
  /** Changed build; default: the collection's own. Rejected if it no longer exists. */
  readonly generation?: Generation;
  readonly changes: readonly DocumentChange[];
  /**
   * Position up to which all events were handled. If absent, or before the stored checkpoint, the checkpoint does not
   * change.
   */
  readonly checkpoint?: Position;
}

export interface Page {
  /** JSON text of the view for each document. */
  readonly items: readonly string[];
  /** Number of documents in the whole list, or among the examined matches. */
  readonly total: number;
}

export interface PageOptions {
  readonly view: string;
  readonly offset: number;
  readonly limit: number;
  /**
   * Key of a document after which the page and its `offset` begin. The document may have left the list; the page is empty if
   * it never was in the list.
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
   * Exclusive start: the key of a document in an index without sort keys, or else a sort key. A sort key alone skips all documents
   * that have it. With `key`, it skips only those up to that document.
   */
  readonly after?: string | { readonly place: string; readonly key?: string } | undefined;
}

export interface ReadModel {
  /**
   * Registers the collections and creates their tables. Other collections do not change. If the version, indexes, lists,
   * views or terms of a collection changed, an empty build is created, while the earlier build remains live until `goLive`; an
   * interrupted build continues. All other calls with a collection reject until the same version and
   * shape was prepared.
   */
  prepare(collections: readonly Collection[]): Promise<void>;

  /** Latest build of this version and shape. */
  own(collection: Collection): Promise<BuildState>;

  /** Build that queries read; undefined if no build is live, or only a newer version. */
  served(collection: Collection): Promise<BuildState | undefined>;

  /** Documents stored under the keys in the build (default: the collection's own), including tombstones. */
  load(
    collection: Collection,
    keys: readonly string[],
    generation?: Generation,
  ): Promise<ReadonlyMap<string, StoredDocument>>;

  /**
   * Contents of a build, including tombstones, in the order of the keys' UTF-8 bytes: at most `limit` entries after
   * `after`. It serves comparing and copying. A document that changes between two calls is returned as it is at the time of the
   * call.
   */
  entries(collection: Collection, options: EntriesOptions): Promise<readonly StoredEntry[]>;

  /**
   * Invalid input writes nothing. Skips changes whose position is not after the stored document's, so that repeating a
   * commit changes nothing. After an interruption, repeating the same changes from the checkpoint, in commits of any size,
   * results in the same documents and lists as without it. Until then, part of the changes may be visible, but never the
   * checkpoint without its changes; a store marked `atomicCommit` in its tests writes everything or nothing.
   */
  commit(commits: readonly CollectionCommit[]): Promise<void>;

  /**
   * Creates an empty build of this version and shape as the collection's own. With `live`, the live build stays and any other
   * build is removed. With `nothing`, all builds are removed, so reads reject until `goLive`.
   */
  renew(collection: Collection, keep: 'live' | 'nothing'): Promise<Generation>;

  /**
   * Makes the collection's own build live, in one commit, and removes all other builds. Until then `get`, `find`, `count`,
   * `page` and `search` read the earlier live build, and reject with `CollectionNotLive` if no build was live, if it has a newer
   * version, or if it lacks the requested index, list or view.
   */
  goLive(collection: Collection): Promise<void>;

  /** The document is shared with other callers, and may be frozen. */
  get<Doc extends Document>(collection: Collection<Doc>, key: string): Promise<Doc | undefined>;

  /**
   * Documents under an index value, ordered by sort key, and then by first write; `descending` reverses both. The
   * document that `after` names need not have the value, and need not exist any more. If it never existed, the result is empty.
   * The cost depends only on the documents returned.
   */
  find<Doc extends Document>(
    collection: Collection<Doc>,
    index: string,
    value: string,
    options?: FindOptions,
  ): Promise<readonly Doc[]>;

  /** Number of documents that `find` would return, without reading them; at most `most`. */
  count(collection: Collection, index: string, value: string, most?: number): Promise<number>;

  /**
   * Page of a ranked list, newest first. Past the end: no items, and the actual total. A large offset may take time, in
   * steps that do not block other work.
   */
  page(collection: Collection, list: string, partition: string, options: PageOptions): Promise<Page>;

  /**
   * Documents in `partition` of `list` with a term that starts with `prefix`, newest first. Examines at most `matchLimit`
   * documents, those with the first terms. `total` counts the documents found, each once.
   */
  search(collection: Collection, list: string, partition: string, options: SearchOptions): Promise<Page>;

  close(): Promise<void>;
}

/** The collection has not been filled yet, so reads would find nothing. */
export class CollectionNotLive extends Error {
  override readonly name = 'CollectionNotLive';
  readonly collection: string;
  constructor(collection: string) {
    super(`the read model "${collection}" is still being built`);
    this.collection = collection;
  }
}
