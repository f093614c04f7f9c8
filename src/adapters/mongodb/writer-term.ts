/** Term under which this process writes. Each change of the stored state is conditional on the term and the previous change. */
import type { Db } from 'mongodb';
import pLimit from 'p-limit';
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import { WriterReplaced, WritesLost } from '../../kernel/ports/shared-read-model.ts';
import { NO_BUILDS, type RegistrationChange } from './build-changes.ts';
import { type Registration, storedStateOf } from './layout.ts';
import type { Registry } from './registry.ts';
import { afterConflicts, isDuplicateKey, WriteConflict } from './write-conflict.ts';

/** Functions that compute, for each collection, the changed members of its registration. */
export type Changes = ReadonlyMap<string, (found: Registration) => RegistrationChange>;

const STATE = { _id: 'state' } as const;

export type WriterTerm = ReturnType<typeof createWriterTerm>;

export function createWriterTerm(database: Db, registry: Registry) {
  const stored = storedStateOf(database);
  const inTurn = pLimit(1);
  let own: number | undefined;
  /** Number of the last change that the server acknowledged in this term. */
  let acknowledged = 0;

  async function check(term: number): Promise<void> {
    const before = acknowledged;
    const found = await registry.fresh();
    if (found !== undefined && found.term > term) throw replacedBy(found.term);
    if (found?.term !== term || found.seq < before) throw new WritesLost();
  }

  async function whileHeld<Result>(work: (term: number) => Promise<Result>): Promise<Result> {
    const term = own;
    if (term === undefined) throw new WriterReplaced('this process does not write the read model');
    try {
      return await work(term);
    } catch (error) {
      if (error instanceof WriterReplaced && own === term) own = undefined;
      throw error;
    }
  }

  async function compareAndSet(term: number, changes: Changes): Promise<void> {
    const before = registry.cached();
    if (before?.term !== term) throw new WriteConflict();
    const moved = new Map<string, Registration>();
    for (const [name, changeOf] of changes) {
      const found = before.collections[name] ?? NO_BUILDS;
      const fields = changeOf(found);
      if (fields !== undefined) moved.set(name, { ...found, ...fields });
    }
    if (moved.size === 0) return;
    const seq = before.seq + 1;
    const fields = Object.fromEntries([...moved].map(([name, now]) => [`collections.${name}`, now]));
    const { matchedCount } = await stored.updateOne(
      { ...STATE, term, seq: before.seq },
      { $set: { ...fields, seq } },
    );
    if (matchedCount === 0) throw new WriteConflict();
    acknowledged = seq;
    registry.wrote({ ...before, seq, collections: { ...before.collections, ...Object.fromEntries(moved) } });
  }

  return {
    isHeld: () => own !== undefined,

    /**
     * Rejects if this process is not the writer, or the server lacks acknowledged writes. After `WriterReplaced`, nothing is
     * written until another term begins.
     */
    writing: <Result>(work: (term: number) => Promise<Result>): Promise<Result> =>
      whileHeld(async (term) => {
        await check(term);
        return work(term);
      }),

    /** Applies all changes in one write. @throws WriterReplaced, WritesLost */
    change: (term: number, changes: Changes): Promise<void> =>
      inTurn(async () => {
        let isStale = false;
        await afterConflicts(
          async () => {
            if (isStale) await check(term);
            await compareAndSet(term, changes);
          },
          () => {
            isStale = true;
          },
        );
      }),

    async begin(term: number): Promise<void> {
      own = undefined;
      acknowledged = 0;
      await raiseTerm(stored, term);
      await check(term);
      own = term;
    },

    writeStatus: (status: JsonObject): Promise<void> =>
      inTurn(() =>
        whileHeld(async (term) => {
          // Detects a restored server even if this process writes nothing else.
          const seq = { $gte: acknowledged };
          const { matchedCount } = await stored.updateOne(
            { ...STATE, term, seq },
            { $set: { status: JSON.stringify(status) } },
          );
          if (matchedCount === 0) await check(term);
        }),
      ),
  };
}

async function raiseTerm(stored: ReturnType<typeof storedStateOf>, term: number): Promise<void> {
  try {
    // If the stored term is higher, the filter matches nothing, and the insertion fails because the document exists.
    await stored.updateOne(
      { ...STATE, term: { $lte: term } },
      { $set: { term }, $setOnInsert: { seq: 0, collections: {}, status: null } },
      { upsert: true },
    );
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

function replacedBy(term: number): WriterReplaced {
  return new WriterReplaced(`another process writes the read model now, under term ${term}`);
}
