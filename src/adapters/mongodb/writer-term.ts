/** The term under which this process writes, and every change of a registration, which is conditional on the term. */
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import pLimit from 'p-limit';
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import { WriterReplaced, WritesLost } from '../../kernel/ports/shared-read-model.ts';
import { firstRegistration, includes, type RegistrationChange } from './build-changes.ts';
import { IN_TIME } from './client.ts';
import { type Registration, registrationsOf, writerStateOf } from './layout.ts';
import type { Registry } from './registry.ts';
import { afterConflicts, isDuplicateKey, orConflict, WriteConflict } from './write-conflict.ts';

/** The registration's members that change, computed from what is stored. */
export type Changes = ReadonlyMap<string, (found: Registration) => RegistrationChange>;

export interface WriterTerm {
  begin(term: number): Promise<void>;
  isHeld(): boolean;
  /** Rejects when this process does not write. After `WriterReplaced` it writes nothing until another term begins. */
  writing<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Within `writing`. `replaced` gets each registration as it was before and is now. */
  change(changes: Changes, replaced: (before: Registration, now: Registration) => void): Promise<void>;
  writeProgress(progress: JsonObject): Promise<void>;
  progress(): Promise<JsonObject | undefined>;
}

const WRITER = { _id: 'writer' } as const;
/** Milliseconds between two checks that the server still has what it acknowledged. */
const CHECKED_EVERY = 2_000;

export function createWriterTerm(database: Db, registry: Registry): WriterTerm {
  const writerState = writerStateOf(database);
  const registrations = registrationsOf(database);
  /** The latest registrations that the server acknowledged in this term. */
  const acknowledged = new Map<string, Registration>();
  const changesInTurn = pLimit(1);
  const notesInTurn = pLimit(1);
  let own: number | undefined;
  let checkedAt = performance.now();

  function held(): number {
    if (own === undefined) throw new WriterReplaced('this process does not write the read model');
    return own;
  }

  async function requireTerm(): Promise<void> {
    const term = held();
    const found = await writerState.findOne(WRITER, IN_TIME);
    if (found === null || found.term < term) throw new WritesLost(writerState.collectionName);
    if (found.term > term) throw replacedBy(found.term);
  }

  async function whileHeld<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = own;
    try {
      return await work();
    } catch (error) {
      if (error instanceof WriterReplaced && own === before) own = undefined;
      throw error;
    }
  }

  /** A server that was set back to an older state lacks what it had acknowledged. */
  async function readAndCheck(): Promise<void> {
    const before = [...acknowledged];
    const found = await registry.fresh();
    for (const [name, registration] of before)
      if (!includes(found.get(name), registration)) throw new WritesLost(name);
  }

  async function compareAndSet(
    term: number,
    changes: Changes,
  ): Promise<readonly [Registration, Registration][]> {
    const changed: [Registration, Registration][] = [];
    const operations: AnyBulkWriteOperation<Registration>[] = [];
    for (const [name, changeOf] of changes) {
      const before = registry.known(name) ?? firstRegistration(name, term);
      if (before.term > term) throw replacedBy(before.term);
      const fields = changeOf(before);
      if (fields === undefined) continue;
      const { _id, ...now } = { ...before, ...fields, term, seq: before.seq + 1 };
      changed.push([before, { _id, ...now }]);
      operations.push(
        before.seq === 0
          ? { insertOne: { document: { _id, ...now } } }
          : { updateOne: { filter: { _id, seq: before.seq, term: { $lte: term } }, update: { $set: now } } },
      );
    }
    if (operations.length === 0) return [];
    const { insertedCount, matchedCount } = await orConflict(
      registrations.bulkWrite(operations, { ordered: false }),
    );
    if (insertedCount + matchedCount < operations.length) throw new WriteConflict();
    return changed;
  }

  return {
    isHeld: () => own !== undefined,

    writing: (work) =>
      whileHeld(async () => {
        held();
        await Promise.all([requireTerm(), readAndCheck()]);
        return work();
      }),

    async begin(term) {
      own = undefined;
      try {
        // If the term is higher, the filter finds nothing and the insertion finds the document.
        await writerState.updateOne(
          { ...WRITER, term: { $lte: term } },
          { $set: { term }, $setOnInsert: { progress: null } },
          { upsert: true },
        );
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const found = await writerState.findOne(WRITER, IN_TIME);
      if (found === null) throw new WritesLost(writerState.collectionName);
      if (found.term > term) throw replacedBy(found.term);
      // From now on no checkpoint of a lower term is written.
      await registrations.updateMany({ term: { $lt: term } }, { $set: { term } });
      acknowledged.clear();
      await registry.fresh();
      own = term;
    },

    async change(changes, replaced) {
      const term = held();
      await changesInTurn(async () => {
        let isStale = false;
        const changed = await afterConflicts(
          async () => {
            if (isStale) await readAndCheck();
            return compareAndSet(term, changes);
          },
          () => {
            isStale = true;
          },
        );
        registry.wrote(changed.map(([, now]) => now));
        for (const [before, now] of changed) {
          acknowledged.set(now._id, now);
          replaced(before, now);
        }
      });
    },

    writeProgress: (progress) =>
      notesInTurn(() =>
        whileHeld(async () => {
          const term = held();
          const now = performance.now();
          // A process that has nothing else to write would not notice a loss.
          if (now - checkedAt >= CHECKED_EVERY) {
            checkedAt = now;
            await readAndCheck();
          }
          const { matchedCount } = await writerState.updateOne(
            { ...WRITER, term },
            { $set: { progress: JSON.stringify(progress) } },
          );
          if (matchedCount === 0) await requireTerm();
        }),
      ),

    async progress() {
      const text = (await writerState.findOne(WRITER, IN_TIME))?.progress;
      return typeof text === 'string' ? JSON.parse(text) : undefined;
    },
  };
}

function replacedBy(term: number): WriterReplaced {
  return new WriterReplaced(`another process writes the read model now, under term ${term}`);
}
