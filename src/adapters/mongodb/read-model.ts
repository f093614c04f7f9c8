/**
 * The read model in MongoDB, for any number of processes: one writes under the term of its lease, all read. No
 * transaction is used: commit-part.ts says how a commit survives its writer.
 */
import type { Db } from 'mongodb';
import pLimit from 'p-limit';
import { type CollectionShape, requireNames, shapeOf } from '../../kernel/ports/collection-shape.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Collection, CollectionCommit, Generation, ReadModel } from '../../kernel/ports/read-model.ts';
import type { SharedReadModel } from '../../kernel/ports/shared-read-model.ts';
import { StoreUnavailable } from '../../kernel/ports/store-unavailable.ts';
import * as reader from './collection-reader.ts';
import type { CommitPart } from './commit-part.ts';
import { entryAt, entryOf, isSame, ownEntry, servedEntry } from './generations.ts';
import { partsByCollection } from './joined-parts.ts';
import { createKnownCollections, type KnownCollections } from './known-collections.ts';
import { fillOf } from './layout.ts';
import { createQueries } from './queries.ts';
import { createRegistry } from './registry.ts';
import { renderChange } from './render-change.ts';
import { createRetiredFills } from './retired-fills.ts';
import { createTermWriters, type TermWriters } from './term-writers.ts';
import { withStoreErrors } from './with-store-errors.ts';

export interface MongoReadModelOptions {
  readonly database: Db;
  readonly logger: Logger;
}

/** A commit of many takes its turns: of the pool's 32 connections each uses up to two, and queries need some as well. */
const COLLECTIONS_AT_A_TIME = 8;

/** Closing the read model leaves the client open. */
export async function openReadModel({ database, logger }: MongoReadModelOptions): Promise<SharedReadModel> {
  let closed = false;
  function requireOpen(): void {
    if (closed) throw new StoreUnavailable('the read model is closed');
  }

  const registry = createRegistry(database);
  const retired = createRetiredFills({ database, registered: registry.all, logger });
  const known = createKnownCollections(database, registry, requireOpen);
  const writers = createTermWriters({ database, registry, retired, requireOpen });

  return withStoreErrors({
    ...queriesAboutGenerations(database, known, writers),
    ...createQueries(database, known),
    ...createWrites(writers),
    beginTerm: writers.beginTerm,
    writeProgress: writers.writeProgress,
    progress: writers.progress,

    async prepare(collections) {
      requireOpen();
      for (const collection of collections) {
        requireNames(collection.name, collection.version, shapeOf(collection));
      }
      if (writers.isWriting()) await prepareAll(writers, collections);
      for (const { name } of collections) known.add(name);
    },

    async close() {
      closed = true;
      await retired.close();
    },
  });
}

async function prepareAll(writers: TermWriters, collections: readonly Collection[]): Promise<void> {
  await writers.writing(async () => {
    for (const collection of collections) await writers.of(collection.name).prepare(collection);
    // A registration is guarded by no earlier one.
    await writers.requireTerm();
  });
}

/** What is registered of a generation, and what is stored in it. */
function queriesAboutGenerations(
  database: Db,
  { registered }: KnownCollections,
  writers: TermWriters,
): Pick<ReadModel, 'own' | 'served' | 'load' | 'entries' | 'checkpoint' | 'isLive'> {
  return {
    async own(collection) {
      return generationOf(ownEntry(await registered(collection), collection));
    },

    async served(collection) {
      const found = servedEntry(await registered(collection), collection);
      return found && generationOf(found);
    },

    async load(collection, keys, generation) {
      if (writers.isWriting()) {
        return writers.writing(() => writers.of(collection.name).load(collection, generation, keys));
      }
      const entry = entryOf(await registered(collection), collection, generation);
      return reader.load(fillOf(database, collection.name, entry), keys);
    },

    async entries(collection, { generation, after, limit }) {
      const entry = entryAt(await registered(collection), collection, generation);
      return reader.entries(fillOf(database, collection.name, entry), after, limit);
    },

    async checkpoint(collection, generation) {
      return entryOf(await registered(collection), collection, generation).checkpoint ?? undefined;
    },

    async isLive(collection) {
      const found = await registered(collection);
      return isSame(ownEntry(found, collection), found?.live ?? null);
    },
  };
}

function createWrites(
  writers: TermWriters,
): Pick<ReadModel, 'commit' | 'clear' | 'renew' | 'withdraw' | 'goLive'> {
  const inTurn = pLimit(COLLECTIONS_AT_A_TIME);

  /** Everything that invalid input makes fail fails here, before anything is written. */
  async function partOf(commit: CollectionCommit): Promise<CommitPart> {
    const { collection, generation, changes, checkpoint } = commit;
    const entry = await writers.of(collection.name).entry(collection, generation);
    const shape: CollectionShape = JSON.parse(entry.shape);
    const rendered = changes.map((change) => renderChange(collection, shape, change));
    return { collection, generation, changes: rendered, checkpoint };
  }

  async function commitAll(commits: readonly CollectionCommit[]): Promise<void> {
    const parts = partsByCollection(await Promise.all(commits.map(partOf)));
    const done = await Promise.allSettled(
      [...parts].map(([name, some]) => inTurn(() => writers.of(name).commit(some))),
    );
    const failed = done.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  return {
    commit: (commits) => writers.writing(() => commitAll(commits)),

    async clear(collection) {
      await writers.writing(() => writers.of(collection.name).clear(collection));
    },

    async renew(collection) {
      return generationOf(await writers.writing(() => writers.of(collection.name).renew(collection)));
    },

    async withdraw({ name, version }) {
      await writers.writing(() => writers.of(name).withdraw(version));
    },

    async goLive(collection) {
      await writers.writing(() => writers.of(collection.name).goLive(collection));
    },
  };
}

function generationOf({ version, generation }: Generation): Generation {
  return { version, generation };
}
