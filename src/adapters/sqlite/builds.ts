/** Builds of collections: tables, live flag and checkpoint of each. */
import {
  type CollectionShape,
  canRead,
  isSameBuild,
  shapeOf,
  supports,
} from '../../kernel/ports/collection-shape.ts';
import { OperatorError } from '../../kernel/ports/errors.ts';
import { type Collection, CollectionNotLive, type Generation } from '../../kernel/ports/read-model.ts';
import { createTables, dropTables, tablesOf } from './build-tables.ts';
import { type CachedReads, cacheReads } from './cached-reads.ts';
import { hasTable, type SqliteDatabase } from './database.ts';
import { createDocumentReader } from './read-documents.ts';
import { createListReader } from './read-lists.ts';
import { createDocumentWriter, type WriteDocuments } from './write-documents.ts';

const DEFINITION = `
  CREATE TABLE IF NOT EXISTS builds (
    name TEXT NOT NULL, version INTEGER NOT NULL, generation INTEGER NOT NULL, shape TEXT NOT NULL, checkpoint TEXT,
    live INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (name, version, generation)
  ) STRICT, WITHOUT ROWID`;

interface BuildRow extends Generation {
  readonly name: string;
  /** JSON of `shape`. */
  readonly shapeText: string;
  readonly shape: CollectionShape;
  readonly isLive: boolean;
}

/** Committed build with its read and write functions. */
export interface Build extends BuildRow {
  readonly read: CachedReads;
  readonly write: WriteDocuments;
}

export type BuildsTable = ReturnType<typeof createBuildsTable>;

/** Table of builds. All functions are synchronous; those that write must be called within a transaction. */
export function createBuildsTable(
  database: SqliteDatabase,
  { isReadOnly, path }: { readonly isReadOnly: boolean; readonly path: string },
) {
  if (isReadOnly) requireReadable(database, path);
  else database.execute(DEFINITION);
  const stored = database.statement<[version: number, generation: number, shape: string, live: number]>(
    'SELECT version, generation, shape, live FROM builds WHERE name = ? ORDER BY version, generation',
  );
  const itself = 'name = ? AND version = ? AND generation = ?';
  const insert = database.statement(
    'INSERT INTO builds (name, version, generation, shape) VALUES (?, ?, ?, ?)',
  );
  const remove = database.statement(`DELETE FROM builds WHERE ${itself}`);
  const setLive = database.statement(`UPDATE builds SET live = 1 WHERE ${itself}`);
  const checkpoints = database.statement<[string | null]>(`SELECT checkpoint FROM builds WHERE ${itself}`);
  const setCheckpoint = database.statement(
    `UPDATE builds SET checkpoint = ?1
     WHERE name = ?2 AND version = ?3 AND generation = ?4 AND (checkpoint IS NULL OR checkpoint < ?1)`,
  );

  const keyOf = ({ name, version, generation }: BuildRow) => [name, version, generation] as const;

  /** Ordered by version and number of the build. */
  function buildsOf(name: string): readonly BuildRow[] {
    return stored.rows(name).map(([version, generation, shapeText, live]) => {
      return { name, version, generation, shapeText, shape: JSON.parse(shapeText), isLive: live === 1 };
    });
  }

  function add(collection: Collection): void {
    const { name, version } = collection;
    const shape = shapeOf(collection);
    const others = buildsOf(name).filter((build) => build.version === version);
    const generation = 1 + Math.max(0, ...others.map((build) => build.generation));
    const tables = tablesOf(name, { version, generation }, shape);
    // A file that an older release wrote may have tables of these names without a row here.
    dropTables(database, tables);
    createTables(database, tables);
    insert.run(name, version, generation, JSON.stringify(shape));
  }

  function drop(build: BuildRow): void {
    dropTables(database, tablesOf(build.name, build, build.shape));
    remove.run(...keyOf(build));
  }

  return {
    buildsOf,
    /** Adds an empty build as the next build of the collection's version. */
    add,
    drop,
    checkpoint: (build: BuildRow) => checkpoints.row(...keyOf(build))?.[0] ?? undefined,
    /** Never moves the checkpoint back. */
    moveCheckpoint: (build: BuildRow, checkpoint: string) =>
      void setCheckpoint.run(checkpoint, ...keyOf(build)),
    /** Makes the build live and removes all other builds of the collection. */
    goLive(build: BuildRow) {
      for (const other of buildsOf(build.name)) if (!isSameBuild(other, build)) drop(other);
      setLive.run(...keyOf(build));
    },
  };
}

export type Builds = ReturnType<typeof createBuilds>;

/** Caches the committed builds of each collection. */
export function createBuilds(database: SqliteDatabase, table: BuildsTable) {
  const cached = new Map<string, readonly Build[]>();
  const shapeTexts = new WeakMap<Collection, string>();

  function isOf(collection: Collection): (build: BuildRow) => boolean {
    const text = shapeTexts.get(collection) ?? JSON.stringify(shapeOf(collection));
    shapeTexts.set(collection, text);
    return ({ version, shapeText }) => version === collection.version && shapeText === text;
  }

  /** Latest build of the collection's version and shape. */
  function own(collection: Collection): Build {
    const found = cached.get(collection.name)?.findLast(isOf(collection));
    if (found !== undefined) return found;
    const { name, version } = collection;
    throw new Error(`the collection "${name}" version ${version} was not prepared in this shape`);
  }

  /** Live build, unless its version is newer. */
  function served(collection: Collection): Build | undefined {
    return cached.get(collection.name)?.find((build) => build.isLive && canRead(collection, build));
  }

  return {
    own,
    served,
    at(collection: Collection, wanted: Generation | undefined): Build {
      if (wanted === undefined) return own(collection);
      const found = cached.get(collection.name)?.find((build) => isSameBuild(build, wanted));
      if (found !== undefined) return found;
      throw new Error(
        `the collection "${collection.name}" no longer has build ${wanted.generation} of version ${wanted.version}`,
      );
    },
    /** @throws CollectionNotLive also if the live build does not support the query. */
    live(collection: Collection, needs: Partial<CollectionShape> = {}): Build {
      const build = served(collection);
      if (build === undefined || !supports(build.shape, needs)) throw new CollectionNotLive(collection.name);
      return build;
    },
    /** Must be called within a transaction. Adds a build unless the collection's version has one of its shape. */
    prepare(collection: Collection): void {
      if (!table.buildsOf(collection.name).some(isOf(collection))) table.add(collection);
    },
    /** Must be called after every committed change of the table. */
    refresh(name: string): void {
      const builds = table.buildsOf(name).map((row) => {
        const tables = tablesOf(name, row, row.shape);
        const read = { ...createDocumentReader(database, tables), ...createListReader(database, tables) };
        return { ...row, ...cacheReads(read, createDocumentWriter(database, tables)) };
      });
      cached.set(name, builds);
    },
  };
}

function requireReadable(database: SqliteDatabase, path: string): void {
  if (hasTable(database, 'builds')) return;
  throw new OperatorError(
    `"${path}" contains no read models; use the file named in the service's READ_MODEL_URL`,
  );
}
