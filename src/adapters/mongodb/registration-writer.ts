/** Changes registrations: each change is conditional on the term and on the change before it. */
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import pLimit from 'p-limit';
import { WriterReplaced, WritesLost } from '../../kernel/ports/shared-read-model.ts';
import { firstRegistration, includes, type RegistrationChange } from './build-changes.ts';
import { type Registration, registrationsOf } from './layout.ts';
import type { Registry } from './registry.ts';
import { afterConflicts, orConflict, WriteConflict } from './write-conflict.ts';

/** Computes, for each collection, the members of its registration that change. */
export type Changes = ReadonlyMap<string, (found: Registration) => RegistrationChange>;

/** Gets each registration as it was before a change, and as it is now. */
export type Changed = (before: Registration, now: Registration) => void;

export interface RegistrationWriter {
  /** From now on no writer of a lower term changes any registration. */
  begin(term: number): Promise<void>;
  /** Reads all registrations. @throws WritesLost when the server lacks a change that it acknowledged in this term. */
  check(): Promise<void>;
  /** In one request. @throws WriterReplaced, WritesLost */
  change(term: number, changes: Changes, changed: Changed): Promise<void>;
}

export function createRegistrationWriter(database: Db, registry: Registry): RegistrationWriter {
  const stored = registrationsOf(database);
  const acknowledged = new Map<string, Registration>();
  const inTurn = pLimit(1);

  async function check(): Promise<void> {
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
      stored.bulkWrite(operations, { ordered: false }),
    );
    if (insertedCount + matchedCount < operations.length) throw new WriteConflict();
    return changed;
  }

  return {
    check,

    async begin(term) {
      await stored.updateMany({ term: { $lt: term } }, { $set: { term } });
      acknowledged.clear();
      await registry.fresh();
    },

    change: (term, changes, noteChange) =>
      inTurn(async () => {
        let isStale = false;
        const changed = await afterConflicts(
          async () => {
            if (isStale) await check();
            return compareAndSet(term, changes);
          },
          () => {
            isStale = true;
          },
        );
        registry.wrote(changed.map(([, now]) => now));
        for (const [before, now] of changed) {
          acknowledged.set(now._id, now);
          noteChange(before, now);
        }
      }),
  };
}

export function replacedBy(term: number): WriterReplaced {
  return new WriterReplaced(`another process writes the read model now, under term ${term}`);
}
