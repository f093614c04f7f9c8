/** The read model in a SQLite file: which collections there are, which version of each is read, and how far they are filled. */
import {
  type Collection,
  type CollectionCommit,
  CollectionNotLive,
  type Document,
  type FindOptions,
  type ReadModel,
  type StoredDocument,
} from '../../ports/read-model.ts';
import type { SynchronousReadModel } from '../../ports/shared-transaction.ts';
import { createSqliteCollection, type SqliteCollection } from './collection.ts';
import {
  type CollectionShape,
  createTables,
  dropTables,
  emptyTables,
  shapeOf,
  tablesOf,
} from './collection-tables.ts';
import { type SqliteDatabase, StoreUnavailable } from './database.ts';

export type SqliteReadModel = ReadModel & SynchronousReadModel;

const DEFINITION = `
  CREATE TABLE IF NOT EXISTS collections (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    shape TEXT NOT NULL,
    checkpoint TEXT,
    live INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (name, version)
  ) STRICT, WITHOUT ROWID`;

interface Version {
  readonly version: number;
  readonly shape: CollectionShape;
  readonly documents: SqliteCollection;
  live: boolean;
}

type VersionRow = readonly [version: number, shape: string, live: number];

/** The tables are made when they are absent. The database stays open when the read model is closed. */
export function createSqliteReadModel(database: SqliteDatabase): SqliteReadModel {
  database.execute(DEFINITION);
  const versionsOf = database.statement<VersionRow>(
    'SELECT version, shape, live FROM collections WHERE name = ? ORDER BY version',
  );
  const addVersion = database.statement('INSERT INTO collections (name, version, shape) VALUES (?, ?, ?)');
  const removeVersion = database.statement('DELETE FROM collections WHERE name = ? AND version = ?');
  const setLive = database.statement('UPDATE collections SET live = ? WHERE name = ? AND version = ?');
  const getCheckpoint = database.statement<[string | null]>(
    'SELECT checkpoint FROM collections WHERE name = ? AND version = ?',
  );
  const moveCheckpoint = database.statement(
    `UPDATE collections SET checkpoint = ?1
     WHERE name = ?2 AND version = ?3 AND (checkpoint IS NULL OR checkpoint < ?1)`,
  );
  const forget = database.statement(
    'UPDATE collections SET checkpoint = NULL, live = 0 WHERE name = ? AND version = ?',
  );

  const known = new Map<string, readonly Version[]>();
  const read = new Map<string, Version>();
  let closed = false;

  function requireOpen(): void {
    if (closed) throw new StoreUnavailable('the read model is closed');
  }

  /** What is committed, so it is read again after every change of it. */
  function remember(name: string): void {
    const before = known.get(name);
    const versions = database
      .read(() => versionsOf.rows(name))
      .map(([version, text, live]): Version => {
        const same = before?.find((each) => each.version === version);
        const shape: CollectionShape = JSON.parse(text);
        const documents = same?.documents ?? createSqliteCollection(database, tablesOf(name, version, shape));
        return { version, shape, documents, live: live === 1 };
      });
    known.set(name, versions);
    const live = versions.find((version) => version.live);
    if (live === undefined) read.delete(name);
    else read.set(name, live);
  }

  function own({ name, version }: Collection): Version {
    requireOpen();
    const found = known.get(name)?.find((each) => each.version === version);
    if (!found) throw new Error(`the collection "${name}" version ${version} was not prepared`);
    return found;
  }

  /** An older version that cannot answer the question counts as none. */
  function live({ name }: Collection, needs?: Partial<CollectionShape>): SqliteCollection {
    requireOpen();
    const found = read.get(name);
    const answers = (kind: 'indexes' | 'lists' | 'views') =>
      (needs?.[kind] ?? []).every((each) => found?.shape[kind].includes(each));
    if (!found || (needs && !(answers('indexes') && answers('lists') && answers('views')))) {
      throw new CollectionNotLive(name);
    }
    return found.documents;
  }

  /** @throws TypeError when the collection does not have what is asked for. */
  function requireDefined(collection: Collection, kind: 'indexes' | 'lists' | 'views', name: string): void {
    if (!collection[kind]?.[name]) {
      throw new TypeError(`the collection "${collection.name}" has no "${name}" among its ${kind}`);
    }
  }

  function prepareNow({ name, version }: Collection, shape: CollectionShape): void {
    const tables = tablesOf(name, version, shape);
    const text = JSON.stringify(shape);
    const found = versionsOf.rows(name).find((row) => row[0] === version);
    if (!found) {
      createTables(database, tables);
      addVersion.run(name, version, text);
    } else if (found[1] !== text) {
      throw new Error(
        `the collection "${name}" has other indexes, lists or views than its stored version ${version}: raise its version`,
      );
    }
  }

  function loadNow(collection: Collection, keys: readonly string[]): ReadonlyMap<string, StoredDocument> {
    const { documents } = own(collection);
    const found = new Map<string, StoredDocument>();
    for (const key of keys) {
      const stored = documents.load(key);
      if (stored) found.set(key, stored);
    }
    return found;
  }

  function commitNow(commits: readonly CollectionCommit[]): void {
    for (const { collection, changes, checkpoint } of commits) {
      const { documents } = own(collection);
      if (changes.length > 0) documents.write(collection, changes);
      if (checkpoint !== undefined) moveCheckpoint.run(checkpoint, collection.name, collection.version);
    }
  }

  return {
    loadNow,
    commitNow,

    async prepare(collections) {
      requireOpen();
      await database.write(() => {
        for (const collection of collections) prepareNow(collection, shapeOf(collection));
      });
      for (const { name } of collections) remember(name);
    },

    async load(collection, keys) {
      return database.read(() => loadNow(collection, keys));
    },

    async commit(commits) {
      requireOpen();
      await database.write(() => commitNow(commits));
    },

    async checkpoint(collection) {
      own(collection);
      const row = database.read(() => getCheckpoint.row(collection.name, collection.version));
      return row?.[0] ?? undefined;
    },

    async clear(collection) {
      const { name, version } = collection;
      const { shape, documents } = own(collection);
      await database.write(() => {
        emptyTables(database, tablesOf(name, version, shape));
        forget.run(name, version);
        documents.forget();
      });
      remember(name);
    },

    async goLive(collection) {
      const { name, version } = collection;
      own(collection);
      await database.write(() => {
        for (const [other, shape] of versionsOf.rows(name)) {
          if (other === version) continue;
          dropTables(database, tablesOf(name, other, JSON.parse(shape)));
          removeVersion.run(name, other);
        }
        setLive.run(1, name, version);
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
