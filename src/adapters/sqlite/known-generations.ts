/** The generations that this process knows: which one a collection writes, and which one it reads. */
import { type CollectionShape, canRead, shapeOf, supports } from '../../kernel/ports/collection-shape.ts';
import { type Collection, CollectionNotLive, type Generation } from '../../kernel/ports/read-model.ts';
import { createSqliteCollection, type SqliteCollection } from './collection.ts';
import { tablesOf } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';
import type { GenerationRow, GenerationsTable } from './generations-table.ts';

export interface KnownGeneration extends GenerationRow {
  readonly shape: CollectionShape;
  readonly documents: SqliteCollection;
}

export interface KnownGenerations {
  /** Throws once the read model is closed. */
  requireOpen(): void;
  /** Holds committed state, so it must be called after every change. */
  remember(name: string): void;
  /** The latest of the collection's version and shape. */
  own(collection: Collection): KnownGeneration;
  at(collection: Collection, wanted: Generation | undefined): KnownGeneration;
  served(collection: Collection): KnownGeneration | undefined;
  /** @throws CollectionNotLive also when what is live does not support the query. */
  live(collection: Collection, needs?: Partial<CollectionShape>): SqliteCollection;
}

export function createKnownGenerations(
  database: SqliteDatabase,
  table: GenerationsTable,
  requireOpen: () => void,
): KnownGenerations {
  const known = new Map<string, readonly KnownGeneration[]>();
  const read = new Map<string, KnownGeneration>();
  /** Looked up for every append; unchanged until the collection's entry changes. */
  const owned = new WeakMap<
    Collection,
    { readonly among: readonly KnownGeneration[]; readonly found: KnownGeneration }
  >();

  function own(collection: Collection): KnownGeneration {
    requireOpen();
    const { name, version } = collection;
    const among = known.get(name) ?? [];
    const last = owned.get(collection);
    if (last?.among === among) return last.found;
    const shapeText = JSON.stringify(shapeOf(collection));
    const found = among.findLast((each) => each.version === version && each.shapeText === shapeText);
    if (!found) throw new Error(`the collection "${name}" version ${version} was not prepared in this shape`);
    owned.set(collection, { among, found });
    return found;
  }

  function served(collection: Collection): KnownGeneration | undefined {
    requireOpen();
    const found = read.get(collection.name);
    return found && canRead(collection, found) ? found : undefined;
  }

  return {
    requireOpen,
    own,
    served,
    remember(name) {
      const before = known.get(name);
      const stored = database
        .read(() => table.rows(name))
        .map((row): KnownGeneration => {
          const same = before?.find((each) => isSame(each, row));
          const shape: CollectionShape = JSON.parse(row.shapeText);
          const documents = same?.documents ?? createSqliteCollection(database, tablesOf(name, row, shape));
          return { ...row, shape, documents };
        });
      known.set(name, stored);
      const live = stored.find(({ isLive }) => isLive);
      if (live === undefined) read.delete(name);
      else read.set(name, live);
    },
    at(collection, wanted) {
      if (wanted === undefined) return own(collection);
      requireOpen();
      const found = known.get(collection.name)?.find((each) => isSame(each, wanted));
      if (found) return found;
      throw new Error(
        `the collection "${collection.name}" no longer has generation ${wanted.generation} of version ${wanted.version}`,
      );
    },
    live(collection, needs = {}) {
      const found = served(collection);
      if (!found || !supports(found.shape, needs)) throw new CollectionNotLive(collection.name);
      return found.documents;
    },
  };
}

function isSame(one: Generation, other: Generation): boolean {
  return one.version === other.version && one.generation === other.generation;
}
