/**
 * The read model in MongoDB, for any number of processes: one writes under the term of its lease, all read. No
 * transaction is used: collection-writer.ts says how a commit survives its writer.
 */
import type { Db } from 'mongodb';
import pLimit from 'p-limit';
import { type CollectionShape, requireDefined, requireNames, shapeOf } from '../../ports/collection-shape.ts';
import type { Position } from '../../ports/event-store.ts';
import {
  type Collection,
  type CollectionCommit,
  CollectionNotLive,
  type Document,
} from '../../ports/read-model.ts';
import { type SharedReadModel, WriterReplaced } from '../../ports/shared-read-model.ts';
import { StoreUnavailable } from '../../ports/store-unavailable.ts';
import * as reader from './collection-reader.ts';
import { type CollectionWriter, type CommitPart, createCollectionWriter } from './collection-writer.ts';
import { storeError } from './errors.ts';
import { entryAt, isSame, ownEntry, servedEntry } from './generations.ts';
import { createKeptPages } from './kept-pages.ts';
import { type Fill, fillOf, writerStateOf } from './layout.ts';
import { createRegistrationWrites } from './registration-writes.ts';
import { createRegistry, type Known } from './registry.ts';
import { renderChange } from './render-change.ts';
import { createRetiredFills } from './retired-fills.ts';
import { WriteConflict } from './write-conflict.ts';
import { createWriterTerm } from './writer-term.ts';

export interface MongoReadModelOptions {
  readonly database: Db;
  readonly report: (message: string, details: object) => void;
}

/** A commit of many takes its turns: of the pool's 32 connections each uses up to two, and queries need some as well. */
const COLLECTIONS_AT_A_TIME = 8;

/** Milliseconds between two looks whether the server still has what it acknowledged. */
const LOOKED_EVERY = 2_000;

interface Writers {
  of(name: string): CollectionWriter;
  readonly opened: ReadonlyMap<string, CollectionWriter>;
}

interface Served {
  readonly fill: Fill;
  readonly shape: CollectionShape;
}

/** Closing the read model leaves the client open. */
export async function openReadModel({ database, report }: MongoReadModelOptions): Promise<SharedReadModel> {
  const registry = createRegistry(database);
  const writerTerm = createWriterTerm(database);
  const retired = createRetiredFills({ database, registered: registry.all, report });
  const prepared = new Set<string>();
  const kept = createKeptPages(database);
  const inTurn = pLimit(COLLECTIONS_AT_A_TIME);
  /** Undefined while this process does not write. */
  let writers: Writers | undefined;
  let ownTerm = 0;
  let lookedAt = performance.now();
  let closed = false;

  function writersOf(term: number): Writers {
    const opened = new Map<string, CollectionWriter>();
    const registrations = createRegistrationWrites(database);
    return {
      opened,
      of(name) {
        const known = opened.get(name);
        if (known !== undefined) return known;
        const writer = createCollectionWriter({
          database,
          name,
          term,
          registrations,
          noted: registry.note,
          retired: (fills) => retired.removeLater(fills.map((fill) => fill.name)),
        });
        opened.set(name, writer);
        return writer;
      },
    };
  }

  /** A collection that nothing is written to would not notice by itself. */
  async function requireNothingLost({ opened }: Writers): Promise<void> {
    const now = performance.now();
    if (now - lookedAt < LOOKED_EVERY) return;
    lookedAt = now;
    const checks = [...opened].map(([name, writer]) => [name, writer.sinceNow()] as const);
    const found = await registry.all();
    for (const [name, requireKept] of checks) requireKept(found.find(({ _id }) => _id === name));
  }

  function requireOpen(): void {
    if (closed) throw new StoreUnavailable('the read model is closed');
  }

  function writerOf(name: string): CollectionWriter {
    requireOpen();
    if (writers === undefined) throw new WriterReplaced('this process does not write the read model');
    return writers.of(name);
  }

  /** A writer that was replaced writes nothing until it begins another term. */
  async function writing<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = writers;
    try {
      return await work();
    } catch (error) {
      if (error instanceof WriterReplaced && writers === before) writers = undefined;
      throw error;
    }
  }

  async function known({ name, version }: Collection): Promise<Known | undefined> {
    requireOpen();
    if (!prepared.has(name)) {
      throw new Error(`the collection "${name}" version ${version} was not prepared in this shape`);
    }
    return registry.fresh(name);
  }

  /** What is live counts as missing if it does not support the query. */
  async function live(collection: Collection, needs: Partial<CollectionShape> = {}): Promise<Served> {
    requireOpen();
    const { name } = collection;
    const found = prepared.has(name) ? servedEntry(await registry.recent(name), collection) : undefined;
    if (found === undefined) throw new CollectionNotLive(name);
    const shape: CollectionShape = JSON.parse(found.shape);
    const answers = (kind: 'indexes' | 'lists' | 'views') =>
      (needs[kind] ?? []).every((each) => shape[kind].includes(each));
    if (!(answers('indexes') && answers('lists') && answers('views'))) throw new CollectionNotLive(name);
    return { fill: fillOf(database, name, found), shape };
  }

  /** Everything that invalid input makes fail fails here, before anything is written. */
  async function partOf(commit: CollectionCommit): Promise<CommitPart> {
    const { collection, generation, changes, checkpoint } = commit;
    const entry = await writerOf(collection.name).entry(collection, generation);
    const shape: CollectionShape = JSON.parse(entry.shape);
    const rendered = changes.map((change) => renderChange(collection, shape, change));
    return { collection, generation, changes: rendered, checkpoint };
  }

  return withStoreErrors({
    async beginTerm(term) {
      requireOpen();
      if (term < ownTerm) throw new WriterReplaced(`this process has begun term ${ownTerm}`);
      writers = undefined;
      await writerTerm.begin(term);
      const begun = writersOf(term);
      for (const { _id } of await registry.all()) await begun.of(_id).takeOver();
      await retired.removeUnknownLater();
      ownTerm = term;
      writers = begun;
    },

    async writeProgress(progress) {
      requireOpen();
      const own = writers;
      if (own === undefined) throw new WriterReplaced('this process does not write the read model');
      await writing(async () => {
        await requireNothingLost(own);
        await writerTerm.writeProgress(ownTerm, progress);
      });
    },

    async progress() {
      requireOpen();
      return writerTerm.progress();
    },

    async prepare(collections) {
      requireOpen();
      for (const collection of collections) {
        requireNames(collection.name, collection.version, shapeOf(collection));
      }
      if (writers !== undefined) {
        await writing(async () => {
          for (const collection of collections) await writerOf(collection.name).prepare(collection);
          // A registration is guarded by no earlier one.
          await writerTerm.require(ownTerm);
        });
      }
      for (const { name } of collections) prepared.add(name);
    },

    async own(collection) {
      const { version, generation } = ownEntry(await known(collection), collection);
      return { version, generation };
    },

    async served(collection) {
      const found = servedEntry(await known(collection), collection);
      return found && { version: found.version, generation: found.generation };
    },

    async load(collection, keys, generation) {
      if (writers !== undefined) {
        return writing(() => writerOf(collection.name).load(collection, generation, keys));
      }
      const registered = await known(collection);
      const entry =
        generation === undefined
          ? ownEntry(registered, collection)
          : entryAt(registered, collection, generation);
      return reader.load(fillOf(database, collection.name, entry), keys);
    },

    async entries(collection, { generation, after, limit }) {
      const entry = entryAt(await known(collection), collection, generation);
      return reader.entries(fillOf(database, collection.name, entry), after, limit);
    },

    async isUnused() {
      requireOpen();
      const collections = await database.listCollections({}, { nameOnly: true }).toArray();
      // Whoever only began a term has kept nothing yet.
      return collections.every(({ name }) => name === writerStateOf(database).collectionName);
    },

    async commit(commits) {
      await writing(async () => {
        const byName = new Map<string, CommitPart[]>();
        for (const part of await Promise.all(commits.map(partOf))) {
          const { name } = part.collection;
          byName.set(name, joined(byName.get(name) ?? [], part));
        }
        const done = await Promise.allSettled(
          [...byName].map(([name, parts]) => inTurn(() => writerOf(name).commit(parts))),
        );
        const failed = done.find((each) => each.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
      });
    },

    async checkpoint(collection, generation) {
      const registered = await known(collection);
      const entry =
        generation === undefined
          ? ownEntry(registered, collection)
          : entryAt(registered, collection, generation);
      return entry.checkpoint ?? undefined;
    },

    async clear(collection) {
      await writing(() => writerOf(collection.name).clear(collection));
    },

    async renew(collection) {
      const { version, generation } = await writing(() => writerOf(collection.name).renew(collection));
      return { version, generation };
    },

    async withdraw({ name, version }) {
      await writing(() => writerOf(name).withdraw(version));
    },

    async goLive(collection) {
      await writing(() => writerOf(collection.name).goLive(collection));
    },

    async isLive(collection) {
      const registered = await known(collection);
      return isSame(ownEntry(registered, collection), registered?.live ?? null);
    },

    async get<Doc extends Document>(collection: Collection<Doc>, key: string): Promise<Doc | undefined> {
      const { fill } = await live(collection);
      return (await reader.get(fill, key)) as Doc | undefined;
    },

    async find<Doc extends Document>(
      collection: Collection<Doc>,
      index: string,
      value: string,
      options = {},
    ): Promise<readonly Doc[]> {
      requireDefined(collection, 'indexes', index);
      const { fill } = await live(collection, { indexes: [index] });
      return (await reader.find(fill, index, value, options)) as readonly Doc[];
    },

    async count(collection, index, value) {
      requireDefined(collection, 'indexes', index);
      const { fill } = await live(collection, { indexes: [index] });
      return reader.count(fill, index, value);
    },

    async page(collection, list, partition, { view, offset, limit }) {
      requireDefined(collection, 'lists', list);
      requireDefined(collection, 'views', view);
      const { fill } = await live(collection, { lists: [list], views: [view] });
      const key = JSON.stringify([fill.name, list, partition, view, offset, limit]);
      return kept.page(collection.name, key, () => reader.page(fill, list, partition, view, offset, limit));
    },

    async search(collection, list, partition, options) {
      requireDefined(collection, 'lists', list);
      requireDefined(collection, 'views', options.view);
      const { fill, shape } = await live(collection, { lists: [list], views: [options.view] });
      if (!shape.terms) return { items: [], total: 0 };
      return reader.search(fill, list, partition, options);
    },

    async close() {
      closed = true;
      await retired.close();
    },
  });
}

/** A checkpoint that comes after its changes is written with them: one round trip less. */
function joined(parts: readonly CommitPart[], part: CommitPart): CommitPart[] {
  const last = parts.at(-1);
  const isSameFilling =
    last?.collection.version === part.collection.version &&
    last.generation?.version === part.generation?.version &&
    last.generation?.generation === part.generation?.generation;
  if (last === undefined || !isSameFilling || part.changes.length > 0) return [...parts, part];
  const checkpoint = laterOf(last.checkpoint, part.checkpoint);
  return [...parts.slice(0, -1), { ...last, checkpoint }];
}

function laterOf(one: Position | undefined, other: Position | undefined): Position | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

/** Every call rejects with `StoreUnavailable` when it may succeed later. */
function withStoreErrors(port: SharedReadModel): SharedReadModel {
  const calls = Object.entries(port).map(([name, call]) => [
    name,
    async (...parameters: unknown[]): Promise<unknown> => {
      try {
        return await Reflect.apply(call, port, parameters);
      } catch (error) {
        throw error instanceof WriteConflict
          ? new StoreUnavailable(error.message, { cause: error })
          : storeError(error, 'the read model cannot be used');
      }
    },
  ]);
  return Object.fromEntries(calls) as SharedReadModel;
}
