/**
 * Writes one collection under a term, one thing at a time. Every step is a compare-and-set on the registry or guarded
 * by what was read, so that of two writers only one goes on, and what an interrupted one left is settled by the next.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type CollectionShape, shapeOf } from '../../ports/collection-shape.ts';
import type { Position } from '../../ports/event-store.ts';
import type { Collection, Generation, StoredDocument } from '../../ports/read-model.ts';
import { NewerVersionLive, WritesLost } from '../../ports/shared-read-model.ts';
import { entryAt, isSame, ownEntry } from './generations.ts';
import {
  createIndexes,
  type Fill,
  fillOf,
  type Registered,
  registryOf,
  type StoredGeneration,
} from './layout.ts';
import { type KnownRow, laterChanges, partitionsOf, planChunk } from './plan-chunk.ts';
import type { RegistrationWrites } from './registration-writes.ts';
import type { Known } from './registry.ts';
import type { RenderedChange } from './render-change.ts';
import { createStoredLists, type StoredLists } from './stored-lists.ts';
import { createStoredRows, type StoredRows } from './stored-rows.ts';
import { settlePending } from './take-over.ts';
import { orConflict, WriteConflict } from './write-conflict.ts';
import { replacedBy } from './writer-term.ts';

export interface CollectionWriter {
  /** Given what is registered after the call of `sinceNow`, throws `WritesLost` if that is older than what was acknowledged before it. */
  sinceNow(): (registered: Known | undefined) => void;
  /** Settles what the former writer left, if the collection is registered. */
  takeOver(): Promise<void>;
  prepare(collection: Collection): Promise<void>;
  entry(collection: Collection, wanted: Generation | undefined): Promise<StoredGeneration>;
  load(
    collection: Collection,
    wanted: Generation | undefined,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, StoredDocument>>;
  commit(parts: readonly CommitPart[]): Promise<void>;
  clear(collection: Collection): Promise<void>;
  renew(collection: Collection): Promise<Generation>;
  withdraw(version: number): Promise<void>;
  goLive(collection: Collection): Promise<void>;
}

/** What one commit changes in one generation. */
export interface CommitPart {
  readonly collection: Collection;
  readonly generation: Generation | undefined;
  readonly changes: readonly RenderedChange[];
  readonly checkpoint: Position | undefined;
}

export interface WriterOptions {
  readonly database: Db;
  readonly name: string;
  readonly term: number;
  readonly registrations: RegistrationWrites;
  /** What is registered now. */
  readonly noted: (registered: Registered) => void;
  /** Nothing refers to these any more. */
  readonly retired: (fills: readonly Fill[]) => void;
}

/** Of one step; a larger commit takes several, so that an intent stays small. */
const MOST_CHANGES = 1_000;
const MOST_BYTES = 8 * 1_048_576;

/** Two writers of one term take the collection from each other; each gets on after some tries. */
const TRIES = 6;
/** Milliseconds, doubled each time. */
const FIRST_PAUSE = 10;

interface StoredFill extends Fill {
  readonly stored: StoredRows;
  readonly storedLists: StoredLists;
}

export function createCollectionWriter(options: WriterOptions): CollectionWriter {
  const { database, name, term, registrations, noted, retired } = options;
  const registry = registryOf(database);
  /** Undefined while it is unknown: the next write takes over. */
  let state: Registered | undefined;
  /** The latest registration that the server acknowledged. */
  let acknowledged: Registered | undefined;
  const fills = new Map<number, StoredFill>();
  const indexed = new Set<number>();
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  /** After a failure nobody knows what was written. */
  function forget(): void {
    state = undefined;
    fills.clear();
  }

  async function writing<Result>(work: () => Promise<Result>): Promise<Result> {
    return inTurn(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          if (state === undefined) await readAndTakeOver();
          return await work();
        } catch (error) {
          forget();
          if (!(error instanceof WriteConflict) || attempt === TRIES) throw error;
          // By chance one of them waits longer, and the other gets its commit done.
          await setTimeout(Math.random() * FIRST_PAUSE * 2 ** attempt);
        }
      }
    });
  }

  async function readAndTakeOver(): Promise<void> {
    forget();
    const requireKept = sinceNow();
    const found = await registry.findOne({ _id: name });
    requireKept(found ?? undefined);
    if (found === null) return;
    if (found.term > term) throw replacedBy(found.term);
    const writer = randomUUID();
    state = found;
    await save({ writer, term });
    if (found.pending === null) return;
    const { pending } = found;
    const entry = found.generations.find(({ fill }) => fill === pending.fill);
    if (entry !== undefined) await settlePending(fillOf(database, name, entry), pending, writer);
    await save({ pending: null });
  }

  function sinceNow(): (found: Known | undefined) => void {
    const before = acknowledged;
    return (found) => {
      if (before !== undefined && !includes(found, before)) throw new WritesLost(name);
    };
  }

  function registered(): Registered {
    if (state === undefined) throw new Error(`the collection "${name}" was not prepared`);
    return state;
  }

  async function save(fields: Partial<Omit<Registered, '_id' | 'seq'>>): Promise<void> {
    const before = registered();
    const seq = before.seq + 1;
    await registrations.replace(before, { ...fields, seq });
    state = { ...before, ...fields, seq };
    acknowledged = state;
    noted(state);
  }

  async function register(): Promise<void> {
    const added: Registered = {
      _id: name,
      term,
      writer: randomUUID(),
      seq: 1,
      fills: 0,
      generations: [],
      live: null,
      pending: null,
    };
    await orConflict(registry.insertOne(added));
    state = added;
    acknowledged = added;
  }

  function storedFill(entry: StoredGeneration): StoredFill {
    const known = fills.get(entry.fill);
    if (known !== undefined) return known;
    const fill = fillOf(database, name, entry);
    const opened = { ...fill, stored: createStoredRows(fill), storedLists: createStoredLists(fill) };
    fills.set(entry.fill, opened);
    return opened;
  }

  function entryOf(collection: Collection, wanted: Generation | undefined): StoredGeneration {
    return wanted === undefined ? ownEntry(state, collection) : entryAt(state, collection, wanted);
  }

  function withEntry(entry: StoredGeneration): readonly StoredGeneration[] {
    return registered().generations.map((each) => (isSame(each, entry) ? entry : each));
  }

  async function makeIndexes(entry: StoredGeneration): Promise<void> {
    if (indexed.has(entry.fill)) return;
    const shape: CollectionShape = JSON.parse(entry.shape);
    await createIndexes(fillOf(database, name, entry), shape);
    indexed.add(entry.fill);
  }

  async function addNext(collection: Collection): Promise<StoredGeneration> {
    const { version } = collection;
    const { generations, fills: used } = registered();
    const alike = generations.filter((each) => each.version === version);
    const added: StoredGeneration = {
      version,
      generation: 1 + alike.reduce((latest, each) => Math.max(latest, each.generation), 0),
      fill: used + 1,
      shape: JSON.stringify(shapeOf(collection)),
      checkpoint: null,
      next: 0,
    };
    await save({ fills: added.fill, generations: [...generations, added] });
    await makeIndexes(added);
    return added;
  }

  /** A new filling, so that nothing that was sent before the change reaches it. */
  async function empty(own: StoredGeneration): Promise<StoredGeneration> {
    const { live, fills: used } = registered();
    const emptied = { ...own, fill: used + 1, checkpoint: null, next: 0 };
    await save({
      fills: emptied.fill,
      generations: withEntry(emptied),
      live: isSame(own, live) ? null : live,
    });
    retired([fillOf(database, name, own)]);
    await makeIndexes(emptied);
    return emptied;
  }

  async function commitPart({ collection, generation, changes, checkpoint }: CommitPart): Promise<void> {
    const written = new Map<string, KnownRow>();
    for (const chunk of chunksOf(changes)) {
      const entry = entryOf(collection, generation);
      const { fill, stored, storedLists } = storedFill(entry);
      const known = await stored.known(
        new Set(chunk.map(({ key }) => key).filter((key) => !written.has(key))),
      );
      for (const { key } of chunk) {
        const row = written.get(key);
        if (row !== undefined) known.set(key, row);
      }
      const later = laterChanges(chunk, known);
      if (later.length === 0) continue;
      await storedLists.load(partitionsOf(later, known));
      const plan = planChunk(later, known, storedLists, entry.next);
      // From here on whoever takes over knows what may have been written.
      await save({
        pending: { fill, rows: plan.pending },
        generations: withEntry({ ...entry, next: plan.next }),
      });
      await stored.write(plan.rows);
      await storedLists.write(plan.places);
      for (const { row } of plan.rows) {
        const { _id, p, n, l, o } = row;
        written.set(_id, { _id, p, n, ...(l === undefined ? {} : { l }), ...(o === undefined ? {} : { o }) });
      }
    }
    await finish(collection, generation, checkpoint);
  }

  /** The next chunk's intent takes the place of the one before: only the last one is taken out by itself. */
  async function finish(
    collection: Collection,
    generation: Generation | undefined,
    checkpoint: Position | undefined,
  ): Promise<void> {
    const entry = entryOf(collection, generation);
    const moves = checkpoint !== undefined && (entry.checkpoint === null || entry.checkpoint < checkpoint);
    const isPending = registered().pending !== null;
    if (!moves && !isPending) return;
    await save({
      ...(isPending ? { pending: null } : {}),
      ...(moves ? { generations: withEntry({ ...entry, checkpoint }) } : {}),
    });
  }

  return {
    sinceNow,

    // The writer before may still be writing, and then is tried again.
    takeOver: () => writing(async () => undefined),

    prepare: (collection) =>
      writing(async () => {
        if (state === undefined) await register();
        const { version } = collection;
        const shape = JSON.stringify(shapeOf(collection));
        const known = registered().generations.findLast(
          (each) => each.version === version && each.shape === shape,
        );
        if (known === undefined) await addNext(collection);
        // Its writer may have ended before it made them.
        else await makeIndexes(known);
      }),

    entry: (collection, wanted) => writing(async () => entryOf(collection, wanted)),

    load: (collection, wanted, keys) =>
      writing(() => storedFill(entryOf(collection, wanted)).stored.load(keys)),

    commit: (parts) =>
      writing(async () => {
        for (const part of parts) await commitPart(part);
      }),

    clear: (collection) =>
      writing(async () => {
        await empty(ownEntry(state, collection));
      }),

    renew: (collection) =>
      writing(async () => {
        const own = ownEntry(state, collection);
        return isSame(own, registered().live) ? addNext(collection) : empty(own);
      }),

    withdraw: (version) =>
      writing(async () => {
        const { live = null } = state ?? {};
        if (live === null) return;
        if (live.version > version) throw new NewerVersionLive(name, live.version);
        await save({ live: null });
      }),

    goLive: (collection) =>
      writing(async () => {
        const own = ownEntry(state, collection);
        const { live, generations } = registered();
        if (live !== null && live.version > own.version) throw new NewerVersionLive(name, live.version);
        const others = generations.filter((each) => !isSame(each, own));
        if (others.length === 0 && isSame(own, live)) return;
        const { version, generation } = own;
        await save({ generations: [own], live: { version, generation } });
        retired(others.map((each) => fillOf(database, name, each)));
      }),
  };
}

/** Numbers and checkpoints only grow, whoever writes. */
function includes(found: Known | undefined, { seq, generations }: Registered): boolean {
  if (found === undefined || found.seq < seq) return false;
  return found.generations.every(({ fill, checkpoint }) => {
    const before = generations.find((each) => each.fill === fill)?.checkpoint ?? null;
    return before === null || (checkpoint !== null && checkpoint >= before);
  });
}

function* chunksOf(changes: readonly RenderedChange[]): Generator<readonly RenderedChange[], void> {
  let chunk: RenderedChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    if (chunk.length === MOST_CHANGES || (chunk.length > 0 && bytes + change.bytes > MOST_BYTES)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(change);
    bytes += change.bytes;
  }
  if (chunk.length > 0) yield chunk;
}
