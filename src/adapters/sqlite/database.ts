/**
 * One SQLite file, held by one connection of one process: durable writes in groups, and reads between them. It knows
 * nothing of events or documents; the adapters over it share its transactions.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { OperatorError } from '../../ports/operator-error.ts';
import { type StoreTrouble, StoreUnavailable } from '../../ports/store-unavailable.ts';
import { disagreement, type LogReading, readDatabaseHead, readLogFile } from './write-ahead-file.ts';

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
   *
   * `unsynced` work is not waited for: a loss of power may undo it, though never without what was committed after it.
   */
  write<T>(work: () => T, durability?: 'synced' | 'unsynced'): Promise<T>;
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
  /** False after a commit failed, until one succeeds; for ever when the disk itself failed or the file is damaged. */
  healthy(): boolean;
  /** What keeps it from writing; undefined while nothing does. */
  trouble(): StoreTrouble | undefined;
  /** Something in the file is not what was written. Nothing is written from then on. */
  foundDamage(reason: string): void;
  /** Commits waiting writes, then releases the file. */
  close(): Promise<void>;
}

export interface SqliteDatabaseOptions {
  /** False: one commit per write, only for measuring the benefit of grouping. */
  readonly groupCommit?: boolean;
  /** Told once when writing becomes impossible, and once when it is possible again. */
  readonly report?: (message: string, details: object) => void;
  /**
   * Reads only, and leaves the file and its write-ahead log as they are. Nobody can open it for writing meanwhile; where
   * there is a write-ahead log, not before this process has ended or collected the statements. Rejects when there is no
   * file.
   */
  readonly isReadOnly?: boolean;
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
  /** Without the path and what to do. */
  readonly reason: string;
  constructor(path: string, reason: string, cause?: unknown) {
    super(`"${path}" is damaged: ${reason}. ${MEND_DAMAGE}`, { cause });
    this.reason = reason;
  }
}

/** The file, or its folder, cannot be opened or written. */
class StoreNotWritable extends OperatorError {
  override readonly name = 'StoreNotWritable';
  constructor(path: string, cause: Error) {
    super(
      `"${path}" cannot be opened for writing (${cause.message}): give the service's user the right to write to the file and to its folder, on a file system that is not read-only`,
      { cause },
    );
  }
}

/** The file, or its folder, cannot be read. */
class StoreNotReadable extends OperatorError {
  override readonly name = 'StoreNotReadable';
  constructor(path: string, reason: string, cause?: unknown) {
    super(`"${path}" cannot be read: ${reason}`, { cause });
  }
}

const MEND_DAMAGE =
  'Where it holds nothing but read models (READ_MODEL_URL), remove it and the "-wal" file beside it: they are made anew from the log. ' +
  'A log has to come from a backup: see docs/how-to/operate/mend-a-damaged-log.md';

interface QueuedWrite {
  readonly durability: 'synced' | 'unsynced';
  run(): void;
  committed(): void;
  rejected(error: unknown): void;
}

/** Bound how long one commit keeps the event loop busy. */
const WRITES_PER_COMMIT = 512;
const COMMIT_MILLISECONDS = 10;

/** A private database in memory, gone when closed: for data that need not outlive its process, such as a test's. */
export const IN_MEMORY = ':memory:';

/** As much as a few appends take. */
const ROOM_BYTES = 65_536;

/** Milliseconds between two attempts to write on a full disk. */
const FULL_RETRY = 1_000;

/** Pages in the write-ahead log after which they are moved into the file; 1,000 is what SQLite does by itself. */
const CHECKPOINT_PAGES = { synced: 1_000, unsynced: 4_000 } as const;

/** Somewhat more than the 1,000 pages after which SQLite moves the write-ahead log into the file. */
const LOG_BYTES = 5 * 1024 * 1024;

/**
 * Opens the file and creates it if missing; its folder must exist.
 * @throws StoreInUse when another connection holds the file.
 */
export function openSqliteDatabase(path: string, options: SqliteDatabaseOptions = {}): SqliteDatabase {
  const isReadOnly = options.isReadOnly === true;
  const opened = isReadOnly ? connectForReading(path) : connect(path);
  const { connection } = opened;
  const key = path === IN_MEMORY ? undefined : fileKey(path);
  if (key !== undefined) openFiles.add(key);
  const { report = () => undefined } = options;
  const marks =
    isReadOnly || path === IN_MEMORY ? undefined : createLogMarks(connection, `${path}-wal`, opened.log);
  const writesPerCommit = options.groupCommit === false ? 1 : WRITES_PER_COMMIT;
  const statements = new Map<string, SqlStatement>();
  const queue: QueuedWrite[] = [];
  let open = true;
  let scheduled = false;
  let depth = 0;
  let isSynced = true;
  /** A full disk can recover. After any other failure the operating system's cached writes cannot be trusted. */
  let failure: Failure | undefined;
  let retrying: NodeJS.Timeout | undefined;

  function fail(kind: Failure['kind'], reason: string, cause?: unknown): void {
    // Once damage is known, nothing that follows is news.
    if (failure !== undefined && (failure.kind === kind || isFinal(failure))) return;
    failure = { kind, reason, cause };
    report('the database cannot be written', { isFailure: true, file: path, cause: kind, reason });
    if (kind === 'disk full') retrying ??= setInterval(retry, FULL_RETRY).unref();
  }

  function recovered(): void {
    if (failure === undefined) return;
    failure = undefined;
    clearInterval(retrying);
    retrying = undefined;
    report('the database can be written again', { file: path });
  }

  /** Without calls that write, nobody would notice that there is room again. */
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
    if (kind !== undefined) fail(kind, messageOf(error), error);
  }

  /** Errors of the file are the operator's; callers learn that the store does not work. */
  function guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (troubleOf(error) !== 'damaged') throw error;
      noteError(error);
      throw new StoreUnavailable(`the database is damaged: ${messageOf(error)}`, { cause: error });
    }
  }

  function statement<Row extends readonly SqlValue[]>(sql: string): SqlStatement<Row> {
    const known = statements.get(sql);
    if (known) return known as SqlStatement<Row>;
    const prepared = prepare(connection, sql, guarded);
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

  function commit(batch: QueuedWrite[]): void {
    const done: QueuedWrite[] = [];
    try {
      requireWritable();
      sync(batch.some(({ durability }) => durability === 'synced'));
      connection.exec('BEGIN IMMEDIATE');
      marks?.write();
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
          requireWritable();
          write.rejected(error);
        }
      }
      connection.exec(done.length > 0 ? 'COMMIT' : 'ROLLBACK');
    } catch (error) {
      const cause = error instanceof StoreUnavailable && error.cause !== undefined ? error.cause : error;
      fail(troubleOf(cause) ?? 'disk failed', messageOf(cause), cause);
      if (connection.inTransaction) connection.exec('ROLLBACK');
      marks?.undone();
      const unavailable =
        error instanceof StoreUnavailable
          ? error
          : new StoreUnavailable(`the database cannot be written: ${messageOf(error)}`, { cause: error });
      for (const write of batch) write.rejected(unavailable);
      return;
    }
    marks?.written();
    recovered();
    for (const write of done) write.committed();
  }

  function requireWritable(): void {
    if (failure === undefined || !isFinal(failure)) return;
    throw new StoreUnavailable(`the database cannot be written: ${failure.reason}`, { cause: failure.cause });
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
    write<T>(work: () => T, durability: QueuedWrite['durability'] = 'synced'): Promise<T> {
      return new Promise((resolve, reject) => {
        requireOpen();
        let result: T;
        queue.push({
          durability,
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
      guarded(() => connection.exec(sql));
    },
    healthy: () => open && failure === undefined,
    trouble: () => failure && troubleShown(path, failure),
    foundDamage: (reason) => fail('damaged', reason),
    async close() {
      if (!open) return;
      while (queue.length > 0) commit(queue.splice(0, writesPerCommit));
      open = false;
      clearInterval(retrying);
      statements.clear();
      try {
        if (isReadOnly) connection.exec('COMMIT');
        // Leaving WAL would write the log into a database that may not belong to it.
        if (isReadOnly || failure?.kind === 'damaged') connection.close();
        else release(connection);
      } finally {
        marks?.close();
        if (key !== undefined) openFiles.delete(key);
        opened.tidy?.();
      }
    },
  };
}

interface Failure {
  readonly kind: Exclude<StoreTrouble['kind'], 'not answering'>;
  readonly reason: string;
  readonly cause: unknown;
}

const isFinal = ({ kind }: Failure) => kind !== 'disk full';

function troubleShown(path: string, { kind, reason }: Failure): StoreTrouble {
  const where = basename(path);
  switch (kind) {
    case 'damaged':
      return { kind, where, reason, whatToDo: 'restore a backup: docs/how-to/operate/mend-a-damaged-log.md' };
    case 'disk full':
      return {
        kind,
        where,
        reason,
        whatToDo: 'make room: writing goes on by itself (docs/how-to/operate/make-room.md)',
      };
    case 'disk failed':
      return {
        kind,
        where,
        reason,
        whatToDo: 'repair the disk, then restart (docs/how-to/operate/make-room.md)',
      };
  }
}

/** The files that this process has open, by device and number. */
const openFiles = new Set<string>();

function fileKey(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** The log is read first: read after it, the database can only be newer. */
function readFiles(path: string): {
  readonly log: LogReading | undefined;
  readonly wrong: string | undefined;
} {
  const key = fileKey(path);
  // To close another handle of a file that this process has open would release its locks.
  if (key !== undefined && openFiles.has(key)) throw new StoreInUse(path);
  const log = readLogFile(`${path}-wal`);
  const database = readDatabaseHead(path);
  return { log, wrong: disagreement(database, log) };
}

function connect(path: string) {
  let connection: Database.Database | undefined;
  try {
    const files = path === IN_MEMORY ? undefined : readFiles(path);
    if (files?.wrong !== undefined) throw new StoreDamaged(path, files.wrong);
    connection = new Database(path);
    // In this order: a connection that is exclusive before it enters WAL needs no shared memory and excludes readers.
    connection.exec('PRAGMA locking_mode=EXCLUSIVE');
    connection.exec('PRAGMA journal_mode=WAL');
    connection.exec('PRAGMA synchronous=FULL');
    connection.exec('PRAGMA cache_size=-65536');
    connection.exec('PRAGMA temp_store=MEMORY');
    connection.exec('BEGIN IMMEDIATE; COMMIT');
    if (path !== IN_MEMORY) layOutLog(`${path}-wal`);
    return { connection, log: files?.log, tidy: undefined };
  } catch (error) {
    connection?.close();
    throw explained(path, error);
  }
}

/** As `connect`, of a file that stays as it is. */
function connectForReading(path: string) {
  if (!existsSync(path)) throw new StoreNotReadable(path, 'there is no such file');
  let connection: Database.Database | undefined;
  // SQLite makes this file to read the write-ahead log of a process that was killed.
  const shared = `${path}-shm`;
  const isOurs = !existsSync(shared);
  try {
    const { log, wrong } = readFiles(path);
    if (wrong !== undefined) throw new StoreDamaged(path, wrong);
    connection = new Database(`${pathToFileURL(path).href}?mode=ro`);
    connection.exec('PRAGMA cache_size=-65536');
    // Held until it is closed: otherwise a service could start between two reads.
    connection.exec('BEGIN');
    connection.prepare('SELECT count(*) FROM sqlite_master').all();
    return { connection, log, tidy: () => isOurs && rmSync(shared, { force: true }) };
  } catch (error) {
    connection?.close();
    const known = explained(path, error);
    if (known instanceof StoreNotWritable) throw new StoreNotReadable(path, messageOf(error), error);
    throw known;
  }
}

function explained(path: string, error: unknown): unknown {
  if (isBusy(error)) return new StoreInUse(path);
  if (troubleOf(error) === 'damaged') return new StoreDamaged(path, messageOf(error), error);
  if (error instanceof Error && NOT_WRITABLE.some((code) => errorCode(error).startsWith(code)))
    return new StoreNotWritable(path, error);
  return error;
}

const NOT_WRITABLE = ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'EACCES', 'EPERM', 'EROFS'];

/** Marks each new write-ahead log in its second commit; `write-ahead-file.ts` says what the marks are for. */
function createLogMarks(connection: Database.Database, path: string, before: LogReading | undefined) {
  const file = openSync(path, 'r');
  const number = (pragma: string) =>
    Number((connection.prepare(`PRAGMA ${pragma}`).raw().get() as readonly number[] | undefined)?.[0] ?? 0);
  let generation = number('user_version');
  const salts = Buffer.alloc(8);
  const seen = Buffer.alloc(8);
  readSync(file, seen, 0, 8, 16);
  let isDue = before === undefined || before.isEmpty;
  let isWritten = false;

  return {
    /** Inside a transaction. */
    write() {
      if (!isDue) return;
      connection.exec(`PRAGMA application_id=${generation}; PRAGMA user_version=${generation + 1}`);
      isWritten = true;
    },
    written() {
      const isMarked = isWritten;
      if (isMarked) generation += 1;
      isDue = false;
      isWritten = false;
      if (readSync(file, salts, 0, 8, 16) < 8 || salts.equals(seen)) return;
      // This commit has begun a new log.
      isDue = !isMarked;
      salts.copy(seen);
    },
    undone() {
      isWritten = false;
    },
    close: () => closeSync(file),
  };
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

function prepare(connection: Database.Database, sql: string, guarded: <T>(work: () => T) => T): SqlStatement {
  const prepared = guarded(() => connection.prepare(sql));
  let raw = false;
  // The driver refuses `raw` on a statement that returns no rows.
  const reading = () => {
    if (!raw) prepared.raw(true);
    raw = true;
    return prepared;
  };
  return {
    run: (...values) => guarded(() => prepared.run(values)),
    row: (...values) => guarded(() => reading().get(values) as readonly SqlValue[] | undefined),
    rows: (...values) => guarded(() => reading().all(values) as readonly (readonly SqlValue[])[]),
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

/** What an error says of the file and its disk; undefined if it says nothing of them. */
function troubleOf(error: unknown): Failure['kind'] | undefined {
  const codes = [error, error instanceof Error ? error.cause : undefined].map(errorCode);
  const isOneOf = (...known: readonly string[]) =>
    codes.some((code) => known.some((each) => code.startsWith(each)));
  if (isOneOf('SQLITE_FULL')) return 'disk full';
  if (isOneOf('SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ')) return 'damaged';
  return isOneOf('SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN') ? 'disk failed' : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const isBusy = (error: unknown) => errorCode(error).startsWith('SQLITE_BUSY');
