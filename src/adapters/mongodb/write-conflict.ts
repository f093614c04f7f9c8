/** Detects that another writer changed a document since it was read. */
import { MongoBulkWriteError, MongoServerError } from 'mongodb';
import { retry } from '../../kernel/runtime/retry.ts';

export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
  constructor() {
    super('the read model was changed by another writer');
  }
}

/** Attempts before a conflict is reported. Two writers of one term may conflict; each succeeds after some attempts. */
const TRIES = 6;
/** Milliseconds before the first retry; doubles each time. */
const FIRST_PAUSE = 10;

/** Retries the work after a write conflict. Calls `failed` after every failure. */
export function afterConflicts<Result>(work: () => Promise<Result>, failed: () => void): Promise<Result> {
  return retry(work, {
    pauses: (earlier) => Math.random() * FIRST_PAUSE * 2 ** (earlier + 1),
    failed(error, earlier) {
      failed();
      if (!(error instanceof WriteConflict) || earlier + 1 === TRIES) throw error;
    },
  });
}

export function isDuplicateKey(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError) {
    const found = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    return found.length > 0 && found.every(({ code }) => code === 11_000);
  }
  return error instanceof MongoServerError && error.code === 11_000;
}

/** @throws WriteConflict instead of the server's error about a duplicate key. */
export async function orConflict<Result>(writing: Promise<Result>): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    throw isDuplicateKey(error) ? new WriteConflict() : error;
  }
}
