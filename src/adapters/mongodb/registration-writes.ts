/**
 * Sends the changes of registrations: those that several collections want at the same time go in one request, since a
 * commit changes each collection's twice.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { type Registered, registryOf } from './layout.ts';
import { WriteConflict } from './write-conflict.ts';

export interface RegistrationWrites {
  /**
   * Changes the registration if it is the one that was read. Rejects with `WriteConflict` if it is not, and also if one
   * that went in the same request was not: whoever is told so takes over, and finds out.
   */
  replace(
    before: Pick<Registered, '_id' | 'writer' | 'seq'>,
    fields: Partial<Omit<Registered, '_id'>>,
  ): Promise<void>;
}

interface Waiting {
  readonly operation: AnyBulkWriteOperation<Registered> & { readonly updateOne: object };
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createRegistrationWrites(database: Db): RegistrationWrites {
  const registry = registryOf(database);
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function write(batch: readonly Waiting[]): Promise<void> {
    try {
      const operations = batch.map(({ operation }) => operation);
      const { matchedCount } = await registry.bulkWrite(operations, { ordered: false });
      if (matchedCount !== batch.length) throw new WriteConflict();
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    // Collections of one commit come in one turn.
    await nextTurn();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await write(batch);
    }
    isWriting = false;
  }

  return {
    replace: ({ _id, writer, seq }, fields) =>
      new Promise((resolve, reject) => {
        const operation = { updateOne: { filter: { _id, writer, seq }, update: { $set: fields } } };
        waiting.push({ operation, resolve, reject });
        if (!isWriting) void writeAll();
      }),
  };
}
