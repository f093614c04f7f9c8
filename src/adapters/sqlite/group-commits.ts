/** Commits waiting writes together, because syncing the disk costs more than the rest of a write. */
import type Database from 'libsql';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { transactionLost, troubleOf } from './database-errors.ts';
import type { DatabaseHealth } from './database-health.ts';

/** Maximum number of writes per commit; bounds how long a commit blocks the event loop. */
const WRITES_PER_COMMIT = 512;

/** If `isGrouping` is false, each write has its own commit. */
export function createGroupCommits(options: CommitOptions & { readonly isGrouping: boolean }) {
  const writesPerCommit = options.isGrouping ? WRITES_PER_COMMIT : 1;
  const commitBatch = createCommitBatch(options);
  const queue: QueuedWrite[] = [];
  let closed = false;
  let scheduled = false;

  function commit(): void {
    queue.unshift(...commitBatch(queue.splice(0, writesPerCommit)));
  }

  function commitNext(): void {
    scheduled = false;
    // Closing has emptied the queue. Using a closed connection would make the driver end the process.
    if (closed) return;
    commit();
    schedule();
  }

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    setImmediate(commitNext);
  }

  return {
    add(write: QueuedWrite): void {
      queue.push(write);
      schedule();
    },
    /** Commits the waiting writes; later ones are never committed. */
    close(): void {
      while (queue.length > 0) commit();
      closed = true;
    },
  };
}

interface QueuedWrite {
  readonly durability: 'synced' | 'unsynced';
  run(): void;
  committed(): void;
  rejected(error: unknown): void;
}

interface CommitOptions {
  readonly connection: Database.Database;
  readonly health: DatabaseHealth;
}

/** Milliseconds after which the remaining writes wait for the next commit, so that the event loop is not blocked. */
const COMMIT_MILLISECONDS = 10;

/** Pages in the write-ahead log that trigger a checkpoint; 1,000 is SQLite's default. */
const CHECKPOINT_PAGES = { synced: 1_000, unsynced: 4_000 } as const;

/**
 * Commits several writes. An error of one write undoes that write only, any other error undoes all. Settles each write that
 * takes part; returns the writes deferred to the next commit.
 */
function createCommitBatch(options: CommitOptions) {
  const { connection, health } = options;
  const sync = createSync(connection);

  function failed(batch: readonly QueuedWrite[], error: unknown): void {
    const cause = error instanceof StoreUnavailable && error.cause !== undefined ? error.cause : error;
    health.fail(troubleOf(cause) ?? 'disk failed', errorMessage(cause), cause);
    if (connection.inTransaction) connection.exec('ROLLBACK');
    const unavailable =
      error instanceof StoreUnavailable
        ? error
        : new StoreUnavailable(`the database cannot be written: ${errorMessage(error)}`, { cause: error });
    for (const write of batch) write.rejected(unavailable);
  }

  return (batch: readonly QueuedWrite[]): readonly QueuedWrite[] => {
    const taken = [...batch];
    const late: QueuedWrite[] = [];
    let done: readonly QueuedWrite[];
    try {
      health.requireWritable();
      sync(batch.some(({ durability }) => durability === 'synced'));
      connection.exec('BEGIN IMMEDIATE');
      done = runAll(taken, late, options);
      connection.exec(done.length > 0 ? 'COMMIT' : 'ROLLBACK');
    } catch (error) {
      failed(taken, error);
      return late;
    }
    health.recovered();
    for (const write of done) write.committed();
    return late;
  };
}

/**
 * Returns the writes that succeeded and rejects the failed ones. Moves writes that exceed the time limit from `taken` to `late`.
 */
function runAll(
  taken: QueuedWrite[],
  late: QueuedWrite[],
  { connection, health }: CommitOptions,
): readonly QueuedWrite[] {
  const done: QueuedWrite[] = [];
  const end = performance.now() + COMMIT_MILLISECONDS;
  for (const [index, write] of taken.entries()) {
    if (index > 0 && performance.now() > end) {
      late.push(...taken.splice(index));
      break;
    }
    try {
      if (taken.length === 1) write.run();
      else runInSavepoint(connection, write);
      done.push(write);
    } catch (error) {
      if (!connection.inTransaction) throw transactionLost(error);
      health.requireWritable();
      write.rejected(error);
    }
  }
  return done;
}

/** If the write throws, undoes only its changes. */
function runInSavepoint(connection: Database.Database, write: QueuedWrite): void {
  connection.exec('SAVEPOINT one_write');
  try {
    write.run();
    connection.exec('RELEASE one_write');
  } catch (error) {
    if (!connection.inTransaction) throw transactionLost(error);
    connection.exec('ROLLBACK TO one_write; RELEASE one_write');
    throw error;
  }
}

/**
 * Without synced commits, SQLite still syncs the write-ahead log before each checkpoint, and the next synced commit includes
 * all earlier ones. With a longer write-ahead log, checkpoints copy
 * frequently changed pages to the database less often.
 */
function createSync(connection: Database.Database): (wanted: boolean) => void {
  let isSynced = true;
  return (wanted) => {
    if (wanted === isSynced) return;
    connection.exec(
      wanted
        ? `PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES.synced}`
        : `PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES.unsynced}`,
    );
    isSynced = wanted;
  };
}
