/**
 * Fills read models from a made-up history, with a fault at any write, and compares what came out with what SQLite has
 * after the same history without any.
 */
import { MongoNetworkError } from 'mongodb';
import { openReadModel } from '../../src/adapters/mongodb/read-model.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import type {
  Collection,
  CollectionCommit,
  Document,
  DocumentChange,
  ReadModel,
} from '../../src/kernel/ports/read-model.ts';
import { type SharedReadModel, WriterReplaced } from '../../src/kernel/ports/shared-read-model.ts';
import { createMemoryServer, type Disturb, type MemoryServer } from './mongo-in-memory.ts';

export type Random = (below: number) => number;

export type Fault = 'request lost' | 'answer lost' | 'half done' | 'held';
export const FAULTS: readonly Fault[] = ['request lost', 'answer lost', 'half done', 'held'];

/** Says what happens at the write of a number; undefined: nothing. */
export type Plan = (write: number) => Fault | undefined;

export interface Run {
  readonly state: unknown;
  /** Number of writes. */
  readonly writes: number;
  readonly faults: number;
}

interface Tale extends Document {
  readonly name: string;
  readonly owner: string;
  readonly shown: boolean;
  readonly colors: readonly string[];
}

const tales: Collection<Tale> = {
  name: 'tales',
  version: 1,
  indexes: { color: ({ colors }) => colors, name: ({ colors, name }) => ({ values: colors, place: name }) },
  terms: ({ name }) => name.split(' '),
  lists: { all: ({ shown }) => (shown ? 'shown' : undefined), byOwner: ({ owner }) => owner },
  views: { name: ({ name }) => ({ name }) },
};
const others: Collection<Tale> = { ...tales, name: 'others' };
const collections = [tales, others];

const COLORS = ['red', 'blue', 'green'];
const OWNERS = ['x', 'y'];

export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The changes of each collection, in the order of their positions. */
export type History = ReadonlyMap<Collection, readonly DocumentChange[]>;

export function historyOf(random: Random, length = 36): History {
  const changesOf = (): readonly DocumentChange[] =>
    Array.from({ length }, (_, index) => {
      const key = `k${random(Math.ceil(length / 3))}`;
      const position = at(index + 1);
      if (random(7) === 0) return { key, position, document: undefined };
      const document: Tale = {
        name: `tale${random(9)} ${key}`,
        owner: OWNERS[random(2)] ?? 'x',
        shown: random(4) > 0,
        colors: COLORS.filter(() => random(2) === 0),
      };
      return { key, position, document };
    });
  return new Map(collections.map((collection) => [collection, changesOf()]));
}

export async function undisturbedState(history: History): Promise<unknown> {
  const database = openSqliteDatabase(':memory:');
  try {
    const readModel = createSqliteReadModel(database);
    await readModel.prepare(collections);
    for (const [collection, changes] of history) {
      await readModel.commit([{ collection, changes, checkpoint: changes.at(-1)?.position ?? '' }]);
      await readModel.goLive(collection);
    }
    return await stateOf(readModel, history);
  } finally {
    await database.close();
  }
}

/**
 * Processes that fill the read models from their checkpoints, one after another. After a fault the same process tries
 * again, or another of a higher term takes its place; what was held is delivered at some later moment.
 */
export async function disturbedRun(history: History, random: Random, planned: Plan): Promise<Run> {
  const server = createMemoryServer();
  let writes = 0;
  let faults = 0;
  const held: (() => unknown)[] = [];

  const disturb: Disturb = async (whole, half) => {
    // As on a network, what others do comes in between.
    await Promise.resolve();
    if (held.length > 0 && random(3) === 0) deliver(held.splice(random(held.length), 1));
    const fault = planned(writes);
    writes += 1;
    if (fault === undefined) return whole();
    faults += 1;
    if (fault === 'answer lost') whole();
    if (fault === 'half done') half();
    if (fault === 'held') held.push(whole);
    throw new MongoNetworkError(`the connection was lost: ${fault}`);
  };

  const { state, close } = await fill(history, random, () =>
    openReadModel({ database: server.connect(disturb), logger: silentLogger }),
  );
  deliver(held.splice(0));
  requireSound(server);
  const found = await state();
  await close();
  return { state: found, writes, faults };
}

interface Filled {
  state(): Promise<unknown>;
  close(): Promise<void>;
}

/** Each `open` is another process'. */
async function fill(history: History, random: Random, open: () => Promise<SharedReadModel>): Promise<Filled> {
  const opened: SharedReadModel[] = [];
  async function begun(): Promise<SharedReadModel> {
    const added = await open();
    opened.push(added);
    await insisting(async () => {
      await added.startTerm(opened.length);
      await added.prepare(collections);
    });
    return added;
  }

  let writer = await begun();
  for (;;) {
    try {
      const commits = await nextCommits(writer, history, random);
      if (commits.length === 0) break;
      await writer.commit(commits);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (random(2) === 0) continue;
      const former = writer;
      writer = await begun();
      // It does not know yet that it was replaced.
      await refused(former, history, random);
    }
  }
  for (const collection of collections) await insisting(() => writer.goLive(collection));
  return {
    state: () => stateOf(writer, history),
    async close() {
      for (const each of opened) await each.close();
    },
  };
}

function deliver(late: readonly (() => unknown)[]): void {
  for (const write of late) {
    try {
      write();
    } catch {
      // Nobody waits for the answer any more.
    }
  }
}

async function insisting(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === 200) throw error;
    }
  }
}

async function refused(former: SharedReadModel, history: History, random: Random): Promise<void> {
  try {
    const commits = await nextCommits(former, history, random);
    if (commits.length === 0) return;
    await former.commit(commits);
  } catch (error) {
    if (error instanceof WriterReplaced || error instanceof StoreUnavailable) return;
    throw error;
  }
  throw new Error('a replaced writer could write');
}

/** What follows the checkpoints, in parts of any size. */
async function nextCommits(
  readModel: ReadModel,
  history: History,
  random: Random,
): Promise<readonly CollectionCommit[]> {
  const commits: CollectionCommit[] = [];
  for (const [collection, changes] of history) {
    const checkpoint = (await readModel.own(collection)).checkpoint ?? '';
    const left = changes.filter(({ position }) => position > checkpoint);
    const part = left.slice(0, 1 + random(14));
    const last = part.at(-1);
    if (last === undefined) continue;
    const unseen = random(2) === 0 ? part : await unseenBy(readModel, collection, part);
    commits.push({ collection, changes: unseen, checkpoint: last.position });
  }
  return commits;
}

/** Skips the events that a document has seen, like a fold. */
async function unseenBy(
  readModel: ReadModel,
  collection: Collection,
  changes: readonly DocumentChange[],
): Promise<readonly DocumentChange[]> {
  const stored = await readModel.load(
    collection,
    changes.map(({ key }) => key),
  );
  return changes.filter(({ key, position }) => (stored.get(key)?.position ?? '') < position);
}

async function stateOf(readModel: ReadModel, history: History): Promise<unknown> {
  const found: unknown[] = [];
  for (const [collection, changes] of history) {
    const keys = [...new Set(changes.map(({ key }) => key))];
    const all = { view: 'name', offset: 0, limit: 100 };
    found.push([
      collection.name,
      (await readModel.own(collection)).checkpoint,
      [...(await readModel.load(collection, keys))].sort(([one], [other]) => (one < other ? -1 : 1)),
      await readModel.page(collection, 'all', 'shown', all),
      await readModel.page(collection, 'all', 'shown', { ...all, offset: 2, limit: 3 }),
      ...(await Promise.all(OWNERS.map((owner) => readModel.page(collection, 'byOwner', owner, all)))),
      ...(await Promise.all(COLORS.map((color) => readModel.find(collection, 'color', color)))),
      ...(await Promise.all(COLORS.map((color) => readModel.count(collection, 'color', color)))),
      ...(await Promise.all(
        COLORS.map((color) => readModel.find(collection, 'name', color, { limit: 1_000 })),
      )),
      await readModel.search(collection, 'all', 'shown', { ...all, prefix: 'tale1', matchLimit: 100 }),
    ]);
  }
  return found;
}

/** No place is given to two documents, and each total is what its partition has. */
function requireSound(server: MemoryServer): void {
  for (const name of server.collections().filter((each) => /\.v\d+\.\d+$/.test(each))) {
    const places = new Set<string>();
    const firsts = new Set<unknown>();
    const counts = new Map<string, number>();
    for (const row of server.documents(name)) {
      if (firsts.has(row.n))
        throw new Error(`two documents of ${name} were first written at ${String(row.n)}`);
      firsts.add(row.n);
      for (const { l, p, r } of (row.o ?? []) as readonly StoredPlace[]) {
        const place = `${l} ${p} ${r}`;
        if (places.has(place)) throw new Error(`two documents of ${name} have the place ${place}`);
        places.add(place);
      }
      for (const [list, { p }] of Object.entries((row.l ?? {}) as { readonly [list: string]: StoredPlace })) {
        const id = `${list}\u001f${p}`;
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    for (const { _id, n } of server.documents(`${name}.totals`)) {
      const count = counts.get(String(_id)) ?? 0;
      if (n !== count) throw new Error(`a total of ${name} is ${String(n)}, and ${count} are listed`);
      counts.delete(String(_id));
    }
    if (counts.size > 0) throw new Error(`${name} lacks the totals ${[...counts.keys()].join(', ')}`);
  }
}

interface StoredPlace {
  readonly l: string;
  readonly p: string;
  readonly r: string;
}

function at(position: number): string {
  return String(position).padStart(20, '0');
}
