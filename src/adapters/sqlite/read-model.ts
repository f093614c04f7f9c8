/** Read models in a SQLite file. Each build of a collection has separate tables. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CollectionShape, generationOf } from '../../kernel/ports/collection-shape.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type {
  BuildState,
  Collection,
  CollectionCommit,
  Page,
  ReadModel,
  StoredDocument,
} from '../../kernel/ports/read-model.ts';
import { type Build, type Builds, type BuildsTable, createBuilds, createBuildsTable } from './builds.ts';
import type { SqliteDatabase } from './database.ts';

/** Documents that `load` reads per event-loop turn. */
const LOADED_PER_TURN = 512;

interface SqliteReadModelOptions {
  /** Creates nothing; all writes except `prepare` reject. */
  readonly isReadOnly?: boolean;
  /** Path for messages to operators. */
  readonly path?: string;
}

/** Creates missing tables. Closing the read model leaves the database open. */
export function createSqliteReadModel(
  database: SqliteDatabase,
  { isReadOnly = false, path = '' }: SqliteReadModelOptions = {},
): ReadModel {
  const table = createBuildsTable(database, { isReadOnly, path });
  const stored = createBuilds(database, table);
  let isOpen = true;
  const stateOf = (build: Build): BuildState => ({
    ...generationOf(build),
    isLive: build.isLive,
    checkpoint: table.checkpoint(build),
  });

  function builds(): Builds {
    if (!isOpen) throw new StoreUnavailable('the read model is closed');
    return stored;
  }

  return {
    ...queriesOf(builds),
    ...writesOf(database, table, builds),

    async prepare(collections) {
      const { prepare, refresh } = builds();
      if (!isReadOnly) await database.write(() => collections.forEach(prepare));
      for (const { name } of collections) refresh(name);
    },

    own: async (collection) => stateOf(builds().own(collection)),
    async served(collection) {
      const build = builds().served(collection);
      return build && stateOf(build);
    },
    entries: async (collection, { generation, after, limit }) =>
      builds().at(collection, generation).read.entries(after, limit),

    async load(collection, keys, generation) {
      const loaded = new Map<string, StoredDocument>();
      for (let first = 0; first === 0 || first < keys.length; first += LOADED_PER_TURN) {
        if (first > 0) await nextTurn();
        const some = keys.slice(first, first + LOADED_PER_TURN);
        for (const entry of builds().at(collection, generation).read.load(some)) loaded.set(...entry);
      }
      return loaded;
    },

    async close() {
      isOpen = false;
    },
  };
}

function writesOf(
  database: SqliteDatabase,
  table: BuildsTable,
  builds: () => Builds,
): Pick<ReadModel, 'commit' | 'renew' | 'goLive'> {
  function commitNow(commits: readonly CollectionCommit[]): void {
    for (const { collection, changes, checkpoint, generation } of commits) {
      const build = builds().at(collection, generation);
      if (changes.length > 0) build.write(collection, changes);
      if (checkpoint !== undefined) table.moveCheckpoint(build, checkpoint);
    }
  }

  async function change(name: string, work: () => void): Promise<void> {
    const { refresh } = builds();
    await database.write(work);
    refresh(name);
  }

  return {
    async commit(commits) {
      builds();
      // If a power failure undoes this commit, the checkpoint is undone as well, so the events are folded again.
      await database.write(() => commitNow(commits), 'unsynced');
    },
    async renew(collection, keep) {
      const { name } = collection;
      const own = builds().own(collection);
      await change(name, () => {
        if (keep === 'nothing') table.buildsOf(name).forEach(table.drop);
        else if (!own.isLive) table.drop(own);
        table.add(collection);
      });
      return generationOf(builds().own(collection));
    },
    async goLive(collection) {
      const build = builds().own(collection);
      await change(collection.name, () => table.goLive(build));
    },
  };
}

function queriesOf(builds: () => Builds): Pick<ReadModel, 'get' | 'find' | 'count' | 'page' | 'search'> {
  function live(collection: Collection, needs: Partial<CollectionShape> = {}): Build['read'] {
    return builds().live(collection, needs).read;
  }

  async function page(
    ...[collection, list, partition, options]: Parameters<ReadModel['page']>
  ): Promise<Page> {
    const needs = { lists: [list], views: [options.view] };
    const read = live(collection, needs);
    const found = await read.page(list, partition, options, () => live(collection, needs) === read);
    return found ?? page(collection, list, partition, options);
  }

  return {
    page,
    async get(collection, key) {
      return live(collection).get(key) as never;
    },
    async find(collection, index, value, options = {}) {
      return live(collection, { indexes: [index] }).find(index, value, options) as never;
    },
    async count(collection, index, value, most) {
      return live(collection, { indexes: [index] }).count(index, value, most);
    },
    async search(collection, list, partition, options) {
      return live(collection, { lists: [list], views: [options.view] }).search(list, partition, options);
    },
  };
}
