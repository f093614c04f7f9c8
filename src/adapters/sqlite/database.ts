/**
 * One SQLite file, held by one connection of one process: durable writes in groups, and reads between them. It knows
 * nothing of events or documents; the adapters over it share its transactions.
 */
import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs';
import Database from 'libsql';
import { OperatorError } from '../../ports/operator-error.ts';

/** Numbers are bound as floating point; a column without INTEGER affinity would store them so. */
export type SqlValue = string | number | Uint8Array | null;

/** A prepared statement, kept for the life of the database. A row is an array of its columns. */
export interface SqlStatement<Row extends readonly SqlValue[] = readonly SqlValue[]> {
  run(...values: readonly SqlValue[]): {
    readonly changes: number;
    readonly lastInsertRowid: number | bigint;
  };
  row(...values: readonly SqlValue[]): Row | undefined;
  rows(...values: readonly SqlValue[]): readonly Row[];
}

export interface SqliteDatabase {
  /**
   * Runs `work` in the next commit, together with other waiting writes. The promise settles after the commit is on the
   * disk. When `work` throws, only its own changes are undone and only its promise rejects. When the commit fails,
   * every promise in it rejects, and the outcome is unknown. `work` must be synchronous and must not call `write`.
   */
  write<T>(work: () => T): Promise<T>;
  /** Runs `work` at once. It sees committed data only, since a commit runs to its end before anything else. */
  read<T>(work: () => T): T;
  /**
   * Inside `write`: undoes and rethrows if `work` throws. StoreUnavailable means that the failure undid the
   * whole transaction (as a full disk does); then the transaction must not be used any more.
   */
  savepoint<T>(work: () => T): T;
  /** Prepared once per text, so build the text from few variants. */
  statement<Row extends readonly SqlValue[]>(sql: string): SqlStatement<Row>;
  /** Statements without parameters or rows, such as definitions of tables. */
  execute(sql: string): void;
  /** False after a commit failed, until one succeeds; for ever when the disk itself failed. */
  healthy(): boolean;
  /** Commits waiting writes, then releases the file. */
  close(): Promise<void>;
}

export interface SqliteDatabaseOptions {
  /** False: one commit per write, only for measuring the benefit of grouping. */
  readonly groupCommit?: boolean;
}

/** The file is open elsewhere. Two processes on one log would each see only half of it. */
export class StoreInUse extends OperatorError {
  override readonly name = 'StoreInUse';
  constructor(path: string) {
    super(
      `"${path}" is in use: another process, or this one, has it open. Only one may; stop the other first`,
    );
  }
}

export class StoreDamaged extends OperatorError {
  override readonly name = 'StoreDamaged';
  constructor(path: string, cause: Error) {
    super(
      `"${path}" is damaged: ${cause.message}. Where it holds nothing but read models (READ_MODEL_URL), remove it and the "-wal" file beside it: they are made anew from the log. A log has to come from a backup`,
      { cause },
    );
  }
}

/** The database was closed, or its disk failed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

interface QueuedWrite {
  run(): void;
  committed(): void;
  rejected(error: unknown): void;
}

/** Bounds how long one commit keeps the event loop busy. */
const WRITES_PER_COMMIT = 512;

/** A private database in memory, gone when closed: for data that need not outlive its process, such as a test's. */
export const IN_MEMORY = ':memory:';

/** Somewhat more than the 1,000 pages after which SQLite moves the write-ahead log into the file. */
const LOG_BYTES = 5 * 1024 * 1024;

/**
 * Opens the file and creates it if missing; its folder must exist.
 * @throws StoreInUse when another connection holds the file.
 */
export function openSqliteDatabase(path: string, options: SqliteDatabaseOptions = {}): SqliteDatabase {
  const connection = connect(path);
  const writesPerCommit = options.groupCommit === false ? 1 : WRITES_PER_COMMIT;
  const statements = new Map<string, SqlStatement>();
  const queue: QueuedWrite[] = [];
  let open = true;
  let scheduled = false;
  let depth = 0;
  /** A full disk can recover. After any other failure the operating system's cached writes cannot be trusted. */
  let failure: { readonly cause: unknown; readonly final: boolean } | undefined;

  function statement<Row extends readonly SqlValue[]>(sql: string): SqlStatement<Row> {
    const known = statements.get(sql);
    if (known) return known as SqlStatement<Row>;
    const prepared = prepare(connection, sql);
    statements.set(sql, prepared);
    return prepared as SqlStatement<Row>;
  }

  function savepoint<T>(work: () => T): T {
    const name = `level_${depth}`;
    connection.exec(`SAVEPOINT ${name}`);
    depth += 1;
    try {
      const result = work();
      connection.exec(`RELEASE ${name}`);
      return result;
    } catch (error) {
      if (!connection.inTransaction) throw transactionLost(error);
      connection.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    } finally {
      depth -= 1;
    }
  }

  function commit(batch: readonly QueuedWrite[]): void {
    const done: QueuedWrite[] = [];
    try {
      if (failure?.final) throw new StoreUnavailable('the database failed earlier', { cause: failure.cause });
      connection.exec('BEGIN IMMEDIATE');
      for (const write of batch) {
        try {
          if (batch.length === 1) write.run();
          else savepoint(() => write.run());
          done.push(write);
        } catch (error) {
          if (!connection.inTransaction) throw transactionLost(error);
          write.rejected(error);
        }
      }
      connection.exec(done.length > 0 ? 'COMMIT' : 'ROLLBACK');
    } catch (error) {
      if (!failure?.final) failure = { cause: error, final: !isFull(error) };
      if (connection.inTransaction) connection.exec('ROLLBACK');
      for (const write of batch) write.rejected(error);
      return;
    }
    failure = undefined;
    for (const write of done) write.committed();
  }

  function commitNext(): void {
    scheduled = false;
    // Closing has emptied the queue, and the driver ends the process if a closed connection is used.
    if (!open) return;
    commit(queue.splice(0, writesPerCommit));
    schedule();
  }

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    setImmediate(commitNext);
  }

  function requireOpen(): void {
    if (!open) throw new StoreUnavailable('the database is closed');
  }

  return {
    write<T>(work: () => T): Promise<T> {
      return new Promise((resolve, reject) => {
        requireOpen();
        let result: T;
        queue.push({
          run: () => {
            result = work();
          },
          committed: () => resolve(result),
          rejected: reject,
        });
        schedule();
      });
    },
    read(work) {
      requireOpen();
      return work();
    },
    savepoint(work) {
      requireOpen();
      return savepoint(work);
    },
    statement(sql) {
      requireOpen();
      return statement(sql);
    },
    execute(sql) {
      requireOpen();
      connection.exec(sql);
    },
    healthy: () => open && failure === undefined,
    async close() {
      if (!open) return;
      while (queue.length > 0) commit(queue.splice(0, writesPerCommit));
      open = false;
      statements.clear();
      release(connection);
    },
  };
}

function connect(path: string): Database.Database {
  const connection = new Database(path);
  try {
    // In this order: a connection that is exclusive before it enters WAL needs no shared memory and excludes readers.
    connection.exec('PRAGMA locking_mode=EXCLUSIVE');
    connection.exec('PRAGMA journal_mode=WAL');
    connection.exec('PRAGMA synchronous=FULL');
    connection.exec('PRAGMA cache_size=-65536');
    connection.exec('PRAGMA temp_store=MEMORY');
    connection.exec('BEGIN IMMEDIATE; COMMIT');
    if (path !== IN_MEMORY) layOutLog(`${path}-wal`);
    return connection;
  } catch (error) {
    connection.close();
    if (isBusy(error)) throw new StoreInUse(path);
    throw isDamage(error) ? new StoreDamaged(path, error) : error;
  }
}

/**
 * Extends the write-ahead log at once to its length between two checkpoints: a sync that lengthens a file costs nearly
 * twice as much. SQLite reads the log only as far as its checksums go, so the rest is never read.
 */
function layOutLog(path: string): void {
  const log = openSync(path, 'r+');
  try {
    const size = fstatSync(log).size;
    if (size >= LOG_BYTES) return;
    writeSync(log, Buffer.alloc(LOG_BYTES - size), 0, LOG_BYTES - size, size);
    fsyncSync(log);
  } finally {
    closeSync(log);
  }
}

/**
 * Prepared statements keep the connection alive until they are collected, even after `close`. Leaving WAL and exclusive
 * locking releases the file at once.
 */
function release(connection: Database.Database): void {
  try {
    connection.prepare('PRAGMA journal_mode=DELETE').all();
    connection.prepare('PRAGMA locking_mode=NORMAL').all();
    connection.prepare('SELECT count(*) FROM sqlite_master').all();
  } finally {
    connection.close();
  }
}

function prepare(connection: Database.Database, sql: string): SqlStatement {
  const prepared = connection.prepare(sql);
  let raw = false;
  // The driver refuses `raw` on a statement that returns no rows.
  const reading = () => {
    if (!raw) prepared.raw(true);
    raw = true;
    return prepared;
  };
  return {
    run: (...values) => prepared.run(values),
    row: (...values) => reading().get(values) as readonly SqlValue[] | undefined,
    rows: (...values) => reading().all(values) as readonly (readonly SqlValue[])[],
  };
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function transactionLost(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`the transaction was lost: ${reason}`, { cause: error });
}

const isDamage = (error: unknown): error is Error =>
  ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].some((code) => errorCode(error).startsWith(code));
const isBusy = (error: unknown) => errorCode(error).startsWith('SQLITE_BUSY');
const isFull = (error: unknown) =>
  [error, error instanceof Error ? error.cause : undefined].some((each) => errorCode(each) === 'SQLITE_FULL');
