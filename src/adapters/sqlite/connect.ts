/** Opens the file as its only user, and releases it. */

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
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { FORMAT, OtherFormat, StoreInUse } from '../../kernel/ports/errors.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { StoreNotReadable, StoreNotWritable, withRemedy } from './database-errors.ts';

/** Private database in memory, discarded when closed; for short-lived data such as a test's. */
export const IN_MEMORY = ':memory:';

/** Bytes of the preallocated write-ahead log: somewhat more than the 1,000 pages after which SQLite checkpoints. */
const LOG_BYTES = 5 * 1024 * 1024;

/** Files that this process has open, by device and inode number. */
export const openFiles = new Set<string>();

export function fileKey(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** "Levy" in ASCII, for SQLite's field `application_id`. */
const APPLICATION_ID = 0x4c657679;
const DATABASE_HEADER = 100;

/** Throws `OtherFormat` for a database that this build did not create. SQLite handles files that are not databases. */
function requireOwnFormat(path: string): void {
  const header = Buffer.alloc(DATABASE_HEADER);
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    if (readSync(file, header, 0, header.length, 0) < header.length) return;
  } finally {
    closeSync(file);
  }
  if (!header.toString('latin1').startsWith('SQLite format 3')) return;
  const isOurs = header.readUInt32BE(68) === APPLICATION_ID;
  const format = header.readUInt32BE(60);
  if (!isOurs || format !== FORMAT) throw new OtherFormat(`"${path}"`, isOurs ? format : undefined);
}

/** Throws `StoreInUse` if this process has the file open: closing a second handle would release the locks of the first. */
function requireUnused(path: string): void {
  const key = fileKey(path);
  if (key !== undefined && openFiles.has(key)) throw new StoreInUse(path);
}

export function connect(path: string) {
  let connection: Database.Database | undefined;
  try {
    if (path !== IN_MEMORY) {
      requireUnused(path);
      requireOwnFormat(path);
    }
    connection = new Database(path);
    // This order matters: a connection that is exclusive before it enters WAL needs no shared memory and excludes readers.
    connection.exec('PRAGMA locking_mode=EXCLUSIVE');
    // Stored in the file itself, before the write-ahead log exists.
    connection.exec(`PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${FORMAT}`);
    connection.exec('PRAGMA journal_mode=WAL');
    connection.exec('PRAGMA synchronous=FULL');
    connection.exec('PRAGMA cache_size=-65536');
    connection.exec('PRAGMA temp_store=MEMORY');
    connection.exec('BEGIN IMMEDIATE; COMMIT');
    if (path !== IN_MEMORY) layOutLog(`${path}-wal`);
    return { connection, tidy: undefined };
  } catch (error) {
    connection?.close();
    throw withRemedy(path, error);
  }
}

/** Opens a file that must not change. */
export function connectForReading(path: string, hasFormat: boolean) {
  if (!existsSync(path)) throw new StoreNotReadable(path, 'the file does not exist');
  let connection: Database.Database | undefined;
  // SQLite creates these files if missing to read a file in WAL mode, and leaves them if statements are not collected yet.
  const created = [`${path}-shm`, `${path}-wal`].filter((file) => !existsSync(file));
  try {
    requireUnused(path);
    if (hasFormat) requireOwnFormat(path);
    connection = new Database(`${pathToFileURL(path).href}?mode=ro`);
    connection.exec('PRAGMA cache_size=-65536');
    // The transaction stays open until the connection closes, so that no service can start between two reads.
    connection.exec('BEGIN');
    connection.prepare('SELECT count(*) FROM sqlite_master').all();
    const tidy = () => {
      for (const file of created) rmSync(file, { force: true });
    };
    return { connection, tidy };
  } catch (error) {
    connection?.close();
    const known = withRemedy(path, error);
    if (known instanceof StoreNotWritable) throw new StoreNotReadable(path, errorMessage(error), error);
    throw known;
  }
}

/**
 * Preallocates the write-ahead log, because a sync that extends a file costs nearly twice as much. SQLite reads the log only
 * as far as its checksums match, so the rest is never read.
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
 * locking releases the file immediately.
 */
export function release(connection: Database.Database): void {
  try {
    connection.prepare('PRAGMA journal_mode=DELETE').all();
    connection.prepare('PRAGMA locking_mode=NORMAL').all();
    connection.prepare('SELECT count(*) FROM sqlite_master').all();
  } finally {
    connection.close();
  }
}
