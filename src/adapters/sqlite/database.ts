/**
 * One SQLite file, opened by one connection of one process: durable writes in groups, and reads between them. This module knows
 * neither events nor documents. The adapters that use it share its transactions.
 */
import type Database from 'libsql';
import { type StoreTrouble, StoreUnavailable } from '../../kernel/ports/errors.ts';
import { type Logger, silentLogger } from '../../kernel/ports/logger.ts';
import { connect, connectForReading, fileKey, IN_MEMORY, openFiles, release } from './connect.ts';
import { storeTroubleOf } from './database-errors.ts';
import { createDatabaseHealth } from './database-health.ts';
import { createGroupCommits } from './group-commits.ts';

/** Numbers are bound as floating point, so integer columns need INTEGER affinity. */
type SqlValue = string | number | Uint8Array | null;

/** Prepared statement, cached for the life of the database. A row is an array of its columns. */
interface SqlStatement<Row extends readonly SqlValue[] = readonly SqlValue[]> {
  run(...values: readonly SqlValue[]): {
    readonly changes: number;
    readonly lastInsertRowid: number | bigint;
  };
  row(...values: readonly SqlValue[]): Row | undefined;
  rows(...values: readonly SqlValue[]): readonly Row[];
}

export interface SqliteDatabase {
  /**
   * Runs `work` in the next commit, together with other waiting writes. The promise settles after the commit is synced to
   * the disk. If `work` throws, only its own changes are undone and only its promise rejects. If the commit fails, all its
   * promises reject, and the outcome is unknown. `work` must be synchronous and must not call `write`.
   *
   * `unsynced` work does not wait for the disk: a power failure may undo it, together with everything committed later.
   */
  write<T>(work: () => T, durability?: 'synced' | 'unsynced'): Promise<T>;
  /** Runs `work` immediately. It sees committed data only, since commits are synchronous. */
  read<T>(work: () => T): T;
  /** Prepared when the text first runs, then cached; build the text from few variants. */
  statement<Row extends readonly SqlValue[]>(sql: string): SqlStatement<Row>;
  /** Runs statements without parameters or rows, such as table definitions. */
  execute(sql: string): void;
  /** Defined from a failed commit until a successful one; permanently if the disk failed or the file is damaged. */
  trouble(): StoreTrouble | undefined;
  close(): Promise<void>;
}

export interface SqliteDatabaseOptions {
  /** False: one commit per write; only for measuring the benefit of grouping. */
  readonly groupCommit?: boolean;
  /** Receives one entry when writing becomes impossible, and one when it is possible again. */
  readonly logger?: Logger;
  /**
   * Opens the file and its write-ahead log without changing them. Excludes writers until `close`; if there is a write-ahead
   * log, until this process ends or collects the statements. Throws if the file does not exist.
   */
  readonly isReadOnly?: boolean;
  /** False for another program's file that is only read, such as the embedded chain's. */
  readonly hasFormat?: boolean;
}

/**
 * Opens the file and creates it if missing; its folder must exist.
 * @throws StoreInUse when another connection holds the file.
 */
export function openSqliteDatabase(path: string, options: SqliteDatabaseOptions = {}): SqliteDatabase {
  const isReadOnly = options.isReadOnly === true;
  const opened = isReadOnly ? connectForReading(path, options.hasFormat ?? true) : connect(path);
  const { connection } = opened;
  const key = path === IN_MEMORY ? undefined : fileKey(path);
  if (key !== undefined) openFiles.add(key);
  const { logger = silentLogger } = options;
  const health = createDatabaseHealth(connection, path, logger);
  const isGrouping = options.groupCommit !== false;
  const commits = createGroupCommits({ connection, health, isGrouping });
  const statements = new Map<string, SqlStatement>();
  let open = true;

  function requireOpen(): void {
    if (!open) throw new StoreUnavailable('the database is closed');
  }

  return {
    write<T>(work: () => T, durability: 'synced' | 'unsynced' = 'synced'): Promise<T> {
      return new Promise((resolve, reject) => {
        requireOpen();
        // A write would end the read transaction that prevents services from opening the file.
        if (isReadOnly) throw new StoreUnavailable('the database is open for reading only');
        let result: T;
        commits.add({
          durability,
          run: () => {
            result = work();
          },
          committed: () => resolve(result),
          rejected: reject,
        });
      });
    },
    read(work) {
      requireOpen();
      return work();
    },
    statement<Row extends readonly SqlValue[]>(sql: string) {
      requireOpen();
      const known = statements.get(sql) ?? statementOn(connection, sql, health.guarded);
      statements.set(sql, known);
      return known as SqlStatement<Row>;
    },
    execute(sql) {
      requireOpen();
      health.guarded(() => connection.exec(sql));
    },
    trouble() {
      const failure = health.failure();
      return failure && storeTroubleOf(path, failure);
    },
    async close() {
      if (!open) return;
      commits.close();
      open = false;
      health.close();
      statements.clear();
      try {
        // Before the lock is released: afterwards, these files could belong to a service that starts.
        opened.tidy?.();
        if (isReadOnly) connection.exec('COMMIT');
        // Leaving WAL mode would write the log into a database to which it may not belong.
        if (isReadOnly || health.failure()?.kind === 'damaged') connection.close();
        else release(connection);
      } finally {
        if (key !== undefined) openFiles.delete(key);
      }
    },
  };
}

/**
 * Prepares on first use: a short-lived process runs few of a read model's statements, and preparing all takes as long as
 * opening the file.
 */
function statementOn(
  connection: Database.Database,
  sql: string,
  guarded: <T>(work: () => T) => T,
): SqlStatement {
  let known: Database.Statement | undefined;
  let raw = false;
  const prepared = () => {
    known ??= connection.prepare(sql);
    return known;
  };
  // The driver rejects `raw` on a statement that returns no rows.
  const reading = () => {
    if (!raw) prepared().raw(true);
    raw = true;
    return prepared();
  };
  return {
    run: (...values) => guarded(() => prepared().run(values)),
    row: (...values) => guarded(() => reading().get(values) as readonly SqlValue[] | undefined),
    rows: (...values) => guarded(() => reading().all(values) as readonly (readonly SqlValue[])[]),
  };
}

export function hasTable(database: Pick<SqliteDatabase, 'statement'>, name: string): boolean {
  const found = database.statement(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`);
  return found.row(name) !== undefined;
}
