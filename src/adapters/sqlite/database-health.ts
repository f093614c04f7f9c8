/** Health of the database file: records why it cannot be written, and detects when a full disk has space again. */

import type Database from 'libsql';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { type Failure, isFinal, isNews, troubleOf } from './database-errors.ts';

/** Bytes written to test for free space; enough for a few appends. */
const ROOM_BYTES = 65_536;

/** Milliseconds between attempts to write on a full disk. */
const FULL_RETRY = 1_000;

export type DatabaseHealth = ReturnType<typeof createDatabaseHealth>;

export function createDatabaseHealth(connection: Database.Database, path: string, logger: Logger) {
  let failure: Failure | undefined;
  let retrying: NodeJS.Timeout | undefined;

  function fail(kind: Failure['kind'], reason: string, cause?: unknown): void {
    if (!isNews(kind, failure)) return;
    failure = { kind, reason, cause };
    logger.error({ file: path, cause: kind, reason }, 'the database cannot be written');
    if (kind === 'disk full') retrying ??= setInterval(retry, FULL_RETRY).unref();
  }

  function recovered(): void {
    if (failure === undefined) return;
    failure = undefined;
    clearInterval(retrying);
    retrying = undefined;
    logger.warn({ file: path }, 'the database can be written again');
  }

  /** Detects free space even if no caller writes. */
  function retry(): void {
    try {
      connection.exec('DROP TABLE IF EXISTS room');
      connection.exec('BEGIN IMMEDIATE');
      connection.exec(`CREATE TABLE room AS SELECT zeroblob(${ROOM_BYTES}) AS taken`);
      connection.exec('COMMIT');
      connection.exec('DROP TABLE room');
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      noteError(error);
      return;
    }
    recovered();
  }

  function noteError(error: unknown): void {
    const kind = troubleOf(error);
    if (kind !== undefined) fail(kind, errorMessage(error), error);
  }

  return {
    failure: () => failure,
    fail,
    recovered,
    /** @throws StoreUnavailable after a permanent failure. */
    requireWritable(): void {
      if (failure === undefined || !isFinal(failure)) return;
      throw new StoreUnavailable(`the database cannot be written: ${failure.reason}`, {
        cause: failure.cause,
      });
    },
    /** Records damage for the operator; the caller gets `StoreUnavailable`. */
    guarded<T>(work: () => T): T {
      try {
        return work();
      } catch (error) {
        if (troubleOf(error) !== 'damaged') throw error;
        noteError(error);
        throw new StoreUnavailable(`the database is damaged: ${errorMessage(error)}`, { cause: error });
      }
    },
    /** Stops the checks for free space. */
    close: () => clearInterval(retrying),
  };
}
