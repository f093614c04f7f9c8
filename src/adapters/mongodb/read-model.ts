/**
 * Read model in MongoDB for any number of processes: one writes under the term of its lease, all read. Orders and ranks
 * derive from log positions instead of counters, and documents are replaced only by later positions, so no transaction is
 * needed.
 */
import type { Db } from 'mongodb';
import { generationOf, isSameBuild, supports } from '../../kernel/ports/collection-shape.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import {
  type BuildState,
  type Collection,
  CollectionNotLive,
  type Generation,
  type ReadModel,
} from '../../kernel/ports/read-model.ts';
import type { SharedReadModel } from '../../kernel/ports/shared-read-model.ts';
import { wrapCalls } from '../../kernel/runtime/wrap-calls.ts';
import {
  buildOf,
  ownBuildIn,
  type RegistrationChange,
  renewed,
  servedBuildIn,
  wentLive,
  withBuild,
} from './build-changes.ts';
import { createCommitWriter } from './commit.ts';
import { storeError } from './errors.ts';
import { type Build, createIndexes, type Registration, storedBuild } from './layout.ts';
import { createListQueries } from './lists.ts';
import { createDocumentQueries, entries, type Live, load } from './queries.ts';
import { createRegistry, type Registry } from './registry.ts';
import { createRetiredBuilds, type RetiredBuilds } from './retired-builds.ts';
import { WriteConflict } from './write-conflict.ts';
import { createWriterTerm, type WriterTerm } from './writer-term.ts';

interface MongoReadModelOptions {
  readonly database: Db;
  readonly logger: Logger;
}

interface Parts {
  readonly database: Db;
  readonly registry: Registry;
  readonly term: WriterTerm;
  readonly retired: RetiredBuilds;
  readonly prepared: Set<string>;
}

/** Closing the read model leaves the client open. */
export async function openReadModel({ database, logger }: MongoReadModelOptions): Promise<SharedReadModel> {
  const registry = createRegistry(database);
  const parts: Parts = {
    database,
    registry,
    term: createWriterTerm(database, registry),
    retired: createRetiredBuilds(database, registry, logger),
    prepared: new Set(),
  };
  const { term, retired } = parts;
  const live = liveIn(parts);
  let closed = false;
  const readModel: SharedReadModel = {
    ...createBuildQueries(parts),
    ...createDocumentQueries(live),
    ...createListQueries(live),
    ...createWrites(parts),
    async startTerm(number) {
      await term.begin(number);
      await retired.removeLater();
    },
    writeStatus: term.writeStatus,

    async progress(collections) {
      const found = await registry.fresh();
      const servedBy = (collection: Collection) => {
        const registered = found?.collections[collection.name];
        const build = servedBuildIn(registered, collection);
        return build === undefined ? [] : [[collection.name, buildState(build, registered)] as const];
      };
      return {
        status: typeof found?.status === 'string' ? JSON.parse(found.status) : undefined,
        served: new Map(collections.flatMap(servedBy)),
      };
    },

    async close() {
      closed = true;
      await retired.close();
    },
  };
  return wrapCalls(readModel, async (method, call) => {
    if (closed && method !== 'close') throw new StoreUnavailable('the read model is closed');
    try {
      return await call();
    } catch (error) {
      throw error instanceof WriteConflict
        ? new StoreUnavailable(error.message, { cause: error })
        : storeError(error, 'the read model cannot be used');
    }
  });
}

/** Queries for registrations, and for the contents of any build. */
function createBuildQueries({
  database,
  registry,
  prepared,
}: Parts): Pick<ReadModel, 'own' | 'served' | 'entries'> {
  const registered = (collection: Collection) => registeredIn(registry, prepared, collection);
  return {
    async own(collection) {
      const found = await registered(collection);
      return buildState(buildOf(found, collection), found);
    },

    async served(collection) {
      const found = await registered(collection);
      const build = servedBuildIn(found, collection);
      return build && buildState(build, found);
    },

    async entries(collection, { generation, ...options }) {
      const build = buildOf(await registered(collection), collection, generation);
      return entries(storedBuild(database, collection.name, build), options);
    },
  };
}

function liveIn({ database, registry, prepared }: Parts): Live {
  return async (collection, needs = {}) => {
    const { name } = collection;
    const found = prepared.has(name)
      ? servedBuildIn((await registry.recent())?.collections[name], collection)
      : undefined;
    const shape = found && JSON.parse(found.shape);
    if (found === undefined || !supports(shape, needs)) throw new CollectionNotLive(name);
    return { ...storedBuild(database, name, found), hasTerms: shape.terms === true };
  };
}

function createWrites(parts: Parts): Pick<ReadModel, 'prepare' | 'load' | 'commit' | 'renew' | 'goLive'> {
  const { database, registry, term, retired, prepared } = parts;
  const writer = createCommitWriter(database, registry);

  /** Resolves with the collection's own build after the change. */
  async function changeOwn(
    number: number,
    collection: Collection,
    changeOf: (found: Registration) => RegistrationChange,
  ): Promise<Generation> {
    const { name } = collection;
    await term.change(number, new Map([[name, changeOf]]));
    const build = buildOf(registry.cached()?.collections[name], collection);
    await createIndexes(storedBuild(database, name, build), JSON.parse(build.shape));
    return generationOf(build);
  }

  return {
    async prepare(collections) {
      if (term.isHeld()) {
        await term.writing(async (number) => {
          for (const collection of collections)
            await changeOwn(number, collection, (found) =>
              ownBuildIn(found, collection) === undefined ? withBuild(found, collection) : undefined,
            );
        });
      }
      for (const { name } of collections) prepared.add(name);
    },

    async load(collection, keys, generation) {
      if (term.isHeld()) return writer.load(collection, keys, generation);
      const build = buildOf(await registeredIn(registry, prepared, collection), collection, generation);
      return load(storedBuild(database, collection.name, build), keys);
    },

    commit: (commits) =>
      term.writing((number) => writer.commit(commits, (changes) => term.change(number, changes))),

    renew: (collection, keep) =>
      term.writing(async (number) => {
        const build = await changeOwn(number, collection, (found) => renewed(found, collection, keep));
        await retired.removeLater();
        return build;
      }),

    goLive: (collection) =>
      term.writing(async (number) => {
        await term.change(number, new Map([[collection.name, (found) => wentLive(found, collection)]]));
        await retired.removeLater();
      }),
  };
}

async function registeredIn(
  registry: Registry,
  prepared: ReadonlySet<string>,
  { name, version }: Collection,
): Promise<Registration | undefined> {
  if (prepared.has(name)) return (await registry.fresh())?.collections[name];
  throw new Error(`the collection "${name}" version ${version} was not prepared in this shape`);
}

function buildState(build: Build, found: Registration | undefined): BuildState {
  return {
    ...generationOf(build),
    isLive: isSameBuild(build, found?.live ?? null),
    checkpoint: build.checkpoint ?? undefined,
  };
}
