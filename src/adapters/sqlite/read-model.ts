/**
 * The read model in a SQLite file: its collections, the generation of each that is read, and their positions. A version
 * has one generation for every shape in which it was prepared, until one of them goes live.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { requireDefined } from '../../kernel/ports/collection-shape.ts';
import type {
  Collection,
  CollectionCommit,
  Document,
  FindOptions,
  Generation,
  OrderOptions,
  ReadModel,
  StoredDocument,
} from '../../kernel/ports/read-model.ts';
import type { SynchronousReadModel } from '../../kernel/ports/shared-transaction.ts';
import { StoreUnavailable } from '../../kernel/ports/store-unavailable.ts';
import type { SqliteDatabase } from './database.ts';
import {
  createGenerations,
  createGenerationsTable,
  type GenerationsTable,
  requireReadable,
} from './generations-table.ts';
import { createKnownGenerations, type KnownGenerations } from './known-generations.ts';

/** Documents read before other work gets its turn. */
const LOADED_AT_A_TIME = 512;

export type SqliteReadModel = ReadModel & SynchronousReadModel;

export interface SqliteReadModelOptions {
  /** Creates nothing; every write but `prepare` rejects. */
  readonly isReadOnly?: boolean;
  /** Named in messages to operators. */
  readonly path?: string;
}

/** Creates missing tables. Closing the read model leaves the database open. */
export function createSqliteReadModel(
  database: SqliteDatabase,
  { isReadOnly = false, path = '' }: SqliteReadModelOptions = {},
): SqliteReadModel {
  if (isReadOnly) requireReadable(database, path);
  else createGenerations(database);
  const table = createGenerationsTable(database);
  const known = createKnownGenerations(database, table, requireOpen);
  let closed = false;

  function requireOpen(): void {
    if (closed) throw new StoreUnavailable('the read model is closed');
  }

  return {
    ...queriesOf(database, known),
    ...lookUpsOf(database, table, known),
    ...writesOf(database, table, known),
    loadNow: (collection, keys, generation) => known.at(collection, generation).documents.load(keys),
    attempt: (work) => database.savepoint(work),

    async prepare(collections) {
      requireOpen();
      if (!isReadOnly) {
        await database.write(() => {
          for (const collection of collections) table.prepare(collection);
        });
      }
      for (const { name } of collections) known.remember(name);
    },

    async close() {
      closed = true;
    },
  };
}

/** What is stored of a generation, and in it. */
function lookUpsOf(
  database: SqliteDatabase,
  table: GenerationsTable,
  known: KnownGenerations,
): Pick<ReadModel, 'own' | 'served' | 'load' | 'entries' | 'checkpoint' | 'isLive'> {
  return {
    async own(collection) {
      return generationOf(known.own(collection));
    },

    async served(collection) {
      const found = known.served(collection);
      return found && generationOf(found);
    },

    async load(collection, keys, generation) {
      const found = new Map<string, StoredDocument>();
      for (let first = 0; first === 0 || first < keys.length; first += LOADED_AT_A_TIME) {
        const some = keys.slice(first, first + LOADED_AT_A_TIME);
        if (first > 0) await nextTurn();
        const { documents } = known.at(collection, generation);
        const loaded = database.read(() => documents.load(some, first > 0 ? 'continued' : undefined));
        for (const [key, document] of loaded) found.set(key, document);
      }
      return found;
    },

    async entries(collection, { generation, after, limit }) {
      const { documents } = known.at(collection, generation);
      return database.read(() => documents.entries(after, limit));
    },

    async checkpoint(collection, wanted) {
      const stored = known.at(collection, wanted);
      return database.read(() => table.checkpoint(collection.name, stored));
    },

    async isLive(collection) {
      return known.own(collection).isLive;
    },
  };
}

function writesOf(
  database: SqliteDatabase,
  table: GenerationsTable,
  known: KnownGenerations,
): Pick<SqliteReadModel, 'commitNow' | 'commit' | 'clear' | 'renew' | 'withdraw' | 'goLive'> {
  function commitNow(commits: readonly CollectionCommit[]): void {
    for (const { collection, changes, checkpoint, generation } of commits) {
      const stored = known.at(collection, generation);
      if (changes.length > 0) stored.documents.write(collection, changes);
      if (checkpoint !== undefined) table.moveCheckpoint(collection.name, stored, checkpoint);
    }
  }

  async function change(name: string, work: () => void): Promise<void> {
    await database.write(work);
    known.remember(name);
  }

  async function clear(collection: Collection): Promise<void> {
    const stored = known.own(collection);
    await change(collection.name, () => {
      table.empty(collection.name, stored);
      stored.documents.forget();
    });
  }

  return {
    commitNow,
    clear,

    async commit(commits) {
      known.requireOpen();
      // What a loss of power undoes is folded again from the checkpoint, which was undone with it.
      await database.write(() => commitNow(commits), 'unsynced');
    },

    async renew(collection) {
      if (known.own(collection).isLive) await change(collection.name, () => table.addNext(collection));
      else await clear(collection);
      return generationOf(known.own(collection));
    },

    async withdraw({ name }) {
      known.requireOpen();
      await change(name, () => table.withdraw(name));
    },

    async goLive(collection) {
      const stored = known.own(collection);
      await change(collection.name, () => table.goLive(collection.name, stored));
    },
  };
}

function queriesOf(
  database: SqliteDatabase,
  known: KnownGenerations,
): Pick<ReadModel, 'get' | 'find' | 'count' | 'ordered' | 'page' | 'search'> {
  return {
    async get<Doc extends Document>(collection: Collection<Doc>, key: string): Promise<Doc | undefined> {
      const documents = known.live(collection);
      return database.read(() => documents.get(key)) as Doc | undefined;
    },

    async find<Doc extends Document>(
      collection: Collection<Doc>,
      index: string,
      value: string,
      options: FindOptions = {},
    ): Promise<readonly Doc[]> {
      requireDefined(collection, 'indexes', index);
      const documents = known.live(collection, { indexes: [index] });
      return database.read(() => documents.find(index, value, options)) as readonly Doc[];
    },

    async count(collection, index, value, most) {
      requireDefined(collection, 'indexes', index);
      const documents = known.live(collection, { indexes: [index] });
      return database.read(() => documents.count(index, value, most));
    },

    async ordered<Doc extends Document>(
      collection: Collection<Doc>,
      order: string,
      value: string,
      options: OrderOptions,
    ): Promise<readonly Doc[]> {
      requireDefined(collection, 'orders', order);
      const documents = known.live(collection, { orders: [order] });
      return database.read(() => documents.ordered(order, value, options)) as readonly Doc[];
    },

    async page(collection, list, partition, options) {
      requireDefined(collection, 'lists', list);
      requireDefined(collection, 'views', options.view);
      const documents = known.live(collection, { lists: [list], views: [options.view] });
      return database.read(() => documents.page(list, partition, options));
    },

    async search(collection, list, partition, options) {
      requireDefined(collection, 'lists', list);
      requireDefined(collection, 'views', options.view);
      const documents = known.live(collection, { lists: [list], views: [options.view] });
      return database.read(() => documents.search(list, partition, options));
    },
  };
}

function generationOf({ version, generation }: Generation): Generation {
  return { version, generation };
}
