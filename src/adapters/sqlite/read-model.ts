/**
 * The read model in a SQLite file: its collections, the generation of each that is read, and their positions. A version
 * has one generation for every shape in which it was prepared, until one of them goes live.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CollectionShape, requireDefined, shapeOf } from '../../ports/collection-shape.ts';
import { NothingWritten, OperatorError } from '../../ports/operator-error.ts';
import {
  type Collection,
  type CollectionCommit,
  CollectionNotLive,
  type Document,
  type FindOptions,
  type Generation,
  type ReadModel,
  type StoredDocument,
} from '../../ports/read-model.ts';
import type { SynchronousReadModel } from '../../ports/shared-transaction.ts';
import { StoreUnavailable } from '../../ports/store-unavailable.ts';
import { createSqliteCollection, type SqliteCollection } from './collection.ts';
import { createTables, dropTables, emptyTables, tablesOf } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';

/** Documents read before other work gets its turn. */
const LOADED_AT_A_TIME = 512;

export type SqliteReadModel = ReadModel & SynchronousReadModel;

const DEFINITION = `
  CREATE TABLE IF NOT EXISTS collections (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    generation INTEGER NOT NULL DEFAULT 1,
    shape TEXT NOT NULL,
    checkpoint TEXT,
    live INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (name, version, generation)
  ) STRICT, WITHOUT ROWID`;

interface Stored extends Generation {
  readonly shapeText: string;
  readonly shape: CollectionShape;
  readonly documents: SqliteCollection;
  readonly live: boolean;
}

type StoredRow = readonly [version: number, generation: number, shape: string, live: number];

function columnsOfCollections(database: SqliteDatabase): readonly string[] {
  return database.statement<[string]>(`SELECT name FROM pragma_table_info('collections')`).rows().flat();
}

/** Older files have no generations: their content is the first generation of its version. */
function createOrExtend(database: SqliteDatabase): void {
  const columns = columnsOfCollections(database);
  if (columns.length === 0 || columns.includes('generation')) {
    database.execute(DEFINITION);
    return;
  }
  database.execute(`
    BEGIN;
    ALTER TABLE collections RENAME TO collections_before;
    ${DEFINITION};
    INSERT INTO collections (name, version, shape, checkpoint, live)
      SELECT name, version, shape, checkpoint, live FROM collections_before;
    DROP TABLE collections_before;
    COMMIT`);
}

/** Of a file that is only read. */
function requireReadable(database: SqliteDatabase, path: string): void {
  const columns = columnsOfCollections(database);
  if (columns.length === 0) {
    const tables = database.statement('SELECT name FROM sqlite_master').rows();
    const Refusal = tables.length === 0 ? NothingWritten : OperatorError;
    throw new Refusal(
      `"${path}" holds no read models: name the file that READ_MODEL_URL of the service names`,
    );
  }
  if (columns.includes('generation')) return;
  throw new OperatorError(
    `"${path}" holds read models of an older release: start the service once, which takes them over`,
  );
}

export interface SqliteReadModelOptions {
  /** Creates nothing; every write but `prepare` rejects. */
  readonly isReadOnly?: boolean;
  /** Named in what operators are told. */
  readonly path?: string;
}

/** Creates missing tables. Closing the read model leaves the database open. */
export function createSqliteReadModel(
  database: SqliteDatabase,
  { isReadOnly = false, path = '' }: SqliteReadModelOptions = {},
): SqliteReadModel {
  if (isReadOnly) requireReadable(database, path);
  else createOrExtend(database);
  const generationsOf = database.statement<StoredRow>(
    'SELECT version, generation, shape, live FROM collections WHERE name = ? ORDER BY version, generation',
  );
  const addGeneration = database.statement(
    'INSERT INTO collections (name, version, generation, shape) VALUES (?, ?, ?, ?)',
  );
  const itself = 'name = ? AND version = ? AND generation = ?';
  const removeGeneration = database.statement(`DELETE FROM collections WHERE ${itself}`);
  const setLive = database.statement(`UPDATE collections SET live = 1 WHERE ${itself}`);
  const getCheckpoint = database.statement<[string | null]>(
    `SELECT checkpoint FROM collections WHERE ${itself}`,
  );
  const moveCheckpoint = database.statement(
    `UPDATE collections SET checkpoint = ?1
     WHERE name = ?2 AND version = ?3 AND generation = ?4 AND (checkpoint IS NULL OR checkpoint < ?1)`,
  );
  const forget = database.statement(`UPDATE collections SET checkpoint = NULL, live = 0 WHERE ${itself}`);
  const otherTables = database.statement<[number]>(
    `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name <> 'collections'`,
  );
  const takeOff = database.statement('UPDATE collections SET live = 0 WHERE name = ?');

  const known = new Map<string, readonly Stored[]>();
  const read = new Map<string, Stored>();
  /** Looked up for every append; unchanged until the collection's entry changes. */
  const owned = new WeakMap<Collection, { readonly among: readonly Stored[]; readonly found: Stored }>();
  let closed = false;

  function requireOpen(): void {
    if (closed) throw new StoreUnavailable('the read model is closed');
  }

  /** Holds committed state, so it is read again after every change. */
  function remember(name: string): void {
    const before = known.get(name);
    const stored = database
      .read(() => generationsOf.rows(name))
      .map(([version, generation, shapeText, live]): Stored => {
        const same = before?.find((each) => each.version === version && each.generation === generation);
        const shape: CollectionShape = JSON.parse(shapeText);
        const documents =
          same?.documents ?? createSqliteCollection(database, tablesOf(name, { version, generation }, shape));
        return { version, generation, shapeText, shape, documents, live: live === 1 };
      });
    known.set(name, stored);
    const live = stored.find((each) => each.live);
    if (live === undefined) read.delete(name);
    else read.set(name, live);
  }

  function own(collection: Collection): Stored {
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

  function at(collection: Collection, wanted: Generation | undefined): Stored {
    if (wanted === undefined) return own(collection);
    requireOpen();
    const { name } = collection;
    const found = known
      .get(name)
      ?.find(({ version, generation }) => version === wanted.version && generation === wanted.generation);
    if (found) return found;
    throw new Error(
      `the collection "${name}" no longer has generation ${wanted.generation} of version ${wanted.version}`,
    );
  }

  function served({ name, version, readsFrom = 1 }: Collection): Stored | undefined {
    const found = read.get(name);
    return found && found.version >= readsFrom && found.version <= version ? found : undefined;
  }

  /** What is live counts as missing if it does not support the query. */
  function live(collection: Collection, needs?: Partial<CollectionShape>): SqliteCollection {
    requireOpen();
    const { name } = collection;
    const found = served(collection);
    const answers = (kind: 'indexes' | 'lists' | 'views') =>
      (needs?.[kind] ?? []).every((each) => found?.shape[kind].includes(each));
    if (!found || (needs && !(answers('indexes') && answers('lists') && answers('views')))) {
      throw new CollectionNotLive(name);
    }
    return found.documents;
  }

  function prepareNow(collection: Collection): void {
    const { name, version } = collection;
    const shape = shapeOf(collection);
    const text = JSON.stringify(shape);
    const alike = generationsOf.rows(name).filter((row) => row[0] === version);
    if (alike.some((row) => row[2] === text)) return;
    addNext(collection);
  }

  function addNext(collection: Collection): void {
    const { name, version } = collection;
    const shape = shapeOf(collection);
    const alike = generationsOf.rows(name).filter((row) => row[0] === version);
    const generation = 1 + alike.reduce((latest, row) => Math.max(latest, row[1]), 0);
    createTables(database, tablesOf(name, { version, generation }, shape));
    addGeneration.run(name, version, generation, JSON.stringify(shape));
  }

  function loadNow(
    collection: Collection,
    keys: readonly string[],
    generation?: Generation,
  ): ReadonlyMap<string, StoredDocument> {
    return at(collection, generation).documents.load(keys);
  }

  function commitNow(commits: readonly CollectionCommit[]): void {
    for (const { collection, changes, checkpoint, generation: wanted } of commits) {
      const { documents, version, generation } = at(collection, wanted);
      if (changes.length > 0) documents.write(collection, changes);
      if (checkpoint !== undefined) moveCheckpoint.run(checkpoint, collection.name, version, generation);
    }
  }

  async function empty(collection: Collection): Promise<void> {
    const { name } = collection;
    const stored = own(collection);
    const { version, generation, shape, documents } = stored;
    await database.write(() => {
      emptyTables(database, tablesOf(name, stored, shape));
      forget.run(name, version, generation);
      documents.forget();
    });
    remember(name);
  }

  return {
    loadNow,
    commitNow,
    attempt: (work) => database.savepoint(work),

    async prepare(collections) {
      requireOpen();
      if (!isReadOnly) {
        await database.write(() => {
          for (const collection of collections) prepareNow(collection);
        });
      }
      for (const { name } of collections) remember(name);
    },

    async own(collection) {
      return generationOf(own(collection));
    },

    async served(collection) {
      requireOpen();
      const found = served(collection);
      return found && generationOf(found);
    },

    async load(collection, keys, generation) {
      const found = new Map<string, StoredDocument>();
      for (let first = 0; first === 0 || first < keys.length; first += LOADED_AT_A_TIME) {
        const some = keys.slice(first, first + LOADED_AT_A_TIME);
        if (first > 0) await nextTurn();
        const { documents } = at(collection, generation);
        const loaded = database.read(() => documents.load(some, first > 0 ? 'continued' : undefined));
        for (const [key, document] of loaded) found.set(key, document);
      }
      return found;
    },

    async entries(collection, { generation, after, limit }) {
      const { documents } = at(collection, generation);
      return database.read(() => documents.entries(after, limit));
    },

    async isUnused() {
      requireOpen();
      return database.read(() => otherTables.row()?.[0] === 0);
    },

    async commit(commits) {
      requireOpen();
      // What a loss of power undoes is folded again from the checkpoint, which was undone with it.
      await database.write(() => commitNow(commits), 'unsynced');
    },

    async checkpoint(collection, wanted) {
      const { version, generation } = at(collection, wanted);
      const row = database.read(() => getCheckpoint.row(collection.name, version, generation));
      return row?.[0] ?? undefined;
    },

    async clear(collection) {
      await empty(collection);
    },

    async renew(collection) {
      const { name } = collection;
      if (!own(collection).live) {
        await empty(collection);
        return generationOf(own(collection));
      }
      await database.write(() => addNext(collection));
      remember(name);
      return generationOf(own(collection));
    },

    async withdraw({ name }) {
      requireOpen();
      await database.write(() => takeOff.run(name));
      remember(name);
    },

    async goLive(collection) {
      const { name } = collection;
      const { version, generation } = own(collection);
      await database.write(() => {
        for (const [otherVersion, otherGeneration, shape] of generationsOf.rows(name)) {
          if (otherVersion === version && otherGeneration === generation) continue;
          const other = { version: otherVersion, generation: otherGeneration };
          dropTables(database, tablesOf(name, other, JSON.parse(shape)));
          removeGeneration.run(name, otherVersion, otherGeneration);
        }
        setLive.run(name, version, generation);
      });
      remember(name);
    },

    async isLive(collection) {
      return own(collection).live;
    },

    async get<Doc extends Document>(collection: Collection<Doc>, key: string): Promise<Doc | undefined> {
      const documents = live(collection);
      return database.read(() => documents.get(key)) as Doc | undefined;
    },

    async find<Doc extends Document>(
      collection: Collection<Doc>,
      index: string,
      value: string,
      options: FindOptions = {},
    ): Promise<readonly Doc[]> {
      requireDefined(collection, 'indexes', index);
      const documents = live(collection, { indexes: [index] });
      return database.read(() => documents.find(index, value, options)) as readonly Doc[];
    },

    async count(collection, index, value) {
      requireDefined(collection, 'indexes', index);
      const documents = live(collection, { indexes: [index] });
      return database.read(() => documents.count(index, value));
    },

    async page(collection, list, partition, { view, offset, limit }) {
      requireDefined(collection, 'lists', list);
      requireDefined(collection, 'views', view);
      const documents = live(collection, { lists: [list], views: [view] });
      return database.read(() => documents.page(list, partition, view, offset, limit));
    },

    async search(collection, list, partition, options) {
      requireDefined(collection, 'lists', list);
      requireDefined(collection, 'views', options.view);
      const documents = live(collection, { lists: [list], views: [options.view] });
      return database.read(() => documents.search(list, partition, options));
    },

    async close() {
      closed = true;
    },
  };
}

function generationOf({ version, generation }: Generation): Generation {
  return { version, generation };
}
