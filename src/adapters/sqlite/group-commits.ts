/** Commits waiting writes together: a sync of the disk costs more than all the rest of a write. */
import type Database from 'libsql';
import { StoreUnavailable } from '../../ports/store-unavailable.ts';
import { messageOf, transactionLost, troubleOf } from './database-errors.ts';
import type { DatabaseHealth } from './database-health.ts';
import type { LogMarks } from './log-marks.ts';

export interface QueuedWrite {
  readonly durability: 'synced' | 'unsynced';
  run(): void;
  committed(): void;
  rejected(error: unknown): void;
}

export interface GroupCommits {
  add(write: QueuedWrite): void;
  /** Commits what waits; nothing is committed afterwards. */
  close(): void;
}

export interface GroupCommitOptions {
  readonly connection: Database.Database;
  readonly health: DatabaseHealth;
  readonly marks: LogMarks | undefined;
  readonly savepoint: <T>(work: () => T) => T;
  /** False: one commit per write. */
  readonly isGrouping: boolean;
}

/** Bound how long one commit keeps the event loop busy. */
const WRITES_PER_COMMIT = 512;
const COMMIT_MILLISECONDS = 10;

/** Pages in the write-ahead log after which they are moved into the file; 1,000 is what SQLite does by itself. */
const CHECKPOINT_PAGES = { synced: 1_000, unsynced: 4_000 } as const;

export function createGroupCommits(options: GroupCommitOptions): GroupCommits {
  const { connection, health, marks, savepoint } = options;
  const writesPerCommit = options.isGrouping ? WRITES_PER_COMMIT : 1;
  const queue: QueuedWrite[] = [];
  let closed = false;
  let scheduled = false;
  let isSynced = true;

  /**
   * Without it SQLite still syncs the write-ahead log before it moves pages from there into the file, and the next
   * synced commit takes along all before it. The longer the write-ahead log, the fewer times a page is moved that
   * changes often.
   */
  function sync(wanted: boolean): void {
    if (wanted === isSynced) return;
    connection.exec(
      wanted
        ? `PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES.synced}`
        : `PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES.unsynced}`,
    );
    isSynced = wanted;
  }

  /** Returns the writes that did not throw; the others are rejected. Writes that take too long wait for the next commit. */
  function runAll(batch: QueuedWrite[]): readonly QueuedWrite[] {
    const done: QueuedWrite[] = [];
    const end = performance.now() + COMMIT_MILLISECONDS;
    for (const [index, write] of batch.entries()) {
      if (index > 0 && performance.now() > end) {
        queue.unshift(...batch.splice(index));
        break;
      }
      try {
        if (batch.length === 1) write.run();
        else savepoint(() => write.run());
        done.push(write);
      } catch (error) {
        if (!connection.inTransaction) throw transactionLost(error);
        health.requireWritable();
        write.rejected(error);
      }
    }
    return done;
  }

  function failed(batch: readonly QueuedWrite[], error: unknown): void {
    const cause = error instanceof StoreUnavailable && error.cause !== undefined ? error.cause : error;
    health.fail(troubleOf(cause) ?? 'disk failed', messageOf(cause), cause);
    if (connection.inTransaction) connection.exec('ROLLBACK');
    marks?.undone();
    const unavailable =
      error instanceof StoreUnavailable
        ? error
        : new StoreUnavailable(`the database cannot be written: ${messageOf(error)}`, { cause: error });
    for (const write of batch) write.rejected(unavailable);
  }

  function commit(batch: QueuedWrite[]): void {
    let done: readonly QueuedWrite[];
    try {
      health.requireWritable();
      sync(batch.some(({ durability }) => durability === 'synced'));
      connection.exec('BEGIN IMMEDIATE');
      marks?.write();
      done = runAll(batch);
      connection.exec(done.length > 0 ? 'COMMIT' : 'ROLLBACK');
    } catch (error) {
      failed(batch, error);
      return;
    }
    marks?.written();
    health.recovered();
    for (const write of done) write.committed();
  }

  function commitNext(): void {
    scheduled = false;
    // Closing has emptied the queue, and the driver ends the process if a closed connection is used.
    if (closed) return;
    commit(queue.splice(0, writesPerCommit));
    schedule();
  }

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    setImmediate(commitNext);
  }

  return {
    add(write) {
      queue.push(write);
      schedule();
    },
    close() {
      while (queue.length > 0) commit(queue.splice(0, writesPerCommit));
      closed = true;
    },
  };
}
