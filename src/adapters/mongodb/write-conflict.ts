/** How it shows that somebody else has written what a commit was about to write. */
import { MongoBulkWriteError, MongoServerError } from 'mongodb';

/** Somebody else has written what a commit was about to write. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
  constructor() {
    super('the read model was changed by another writer');
  }
}

export function isDuplicateKey(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError) {
    const found = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    return found.length > 0 && found.every(({ code }) => code === 11_000);
  }
  return error instanceof MongoServerError && error.code === 11_000;
}

/** @throws WriteConflict instead of the server's word for a key that is there already. */
export async function orConflict<Result>(writing: Promise<Result>): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    throw isDuplicateKey(error) ? new WriteConflict() : error;
  }
}
