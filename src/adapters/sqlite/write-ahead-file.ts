/**
 * Reads the database file and its write-ahead log as SQLite left them, before it opens them: SQLite takes an older database under a newer
 * log for one, and forgets in silence what comes after a damaged part of the log.
 *
 * Two fields of the first page that SQLite leaves to applications say which belong together: `user_version` counts up with every new log,
 * and `application_id` is the count that the database had when the log began.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const DATABASE_HEADER = 100;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;
const WAL_MODE = 2;

/** What the first page says. */
export interface Mark {
  /** Counts the logs. */
  readonly generation: number;
  /** The generation of the database when its log began. */
  readonly base: number;
}

export interface DatabaseHead extends Mark {
  /** While a process works on it, or after one was killed. */
  readonly expectsLog: boolean;
}

export interface LogReading {
  /** Mark of the newest first page in the log; undefined if it has none. */
  readonly mark: Mark | undefined;
  /** Commits that were written after a part that cannot be read: SQLite would forget them. */
  readonly lostCommits: number;
  readonly isEmpty: boolean;
}

/** Undefined where there is no database. */
export function readDatabaseHead(path: string): DatabaseHead | undefined {
  const head = Buffer.alloc(DATABASE_HEADER);
  if (!readStart(path, head)) return undefined;
  return { ...markIn(head, 0), expectsLog: head[18] === WAL_MODE };
}

/** Undefined where there is no log. */
export function readLogFile(path: string): LogReading | undefined {
  try {
    return readLog(readFileSync(path));
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function readLog(log: Buffer): LogReading {
  const nothing = { mark: undefined, lostCommits: 0, isEmpty: true };
  if (log.length < LOG_HEADER || log.subarray(0, LOG_HEADER).every((byte) => byte === 0)) return nothing;
  const magic = log.readUInt32BE(0);
  // The lowest bit says in which order of bytes the checksums are made.
  if (magic >>> 1 !== MAGIC >>> 1) return { ...nothing, lostCommits: 1, isEmpty: false };
  const sum = checksums(log, (magic & 1) === 1);
  if (!sum.add(0, 24).equals(24)) return { ...nothing, lostCommits: 1, isEmpty: false };
  const pageSize = log.readUInt32BE(8) === 1 ? 65_536 : log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let mark: Mark | undefined;
  let frames = 0;
  let commitsAfter = 0;
  let isWhole = true;
  for (let at = LOG_HEADER; at + FRAME_HEADER + pageSize <= log.length; at += FRAME_HEADER + pageSize) {
    // What follows is left over from an earlier log.
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    if (isWhole)
      isWhole = sum
        .add(at, 8)
        .add(at + FRAME_HEADER, pageSize)
        .equals(at + 16);
    const isCommit = log.readUInt32BE(at + 4) !== 0;
    if (!isWhole) {
      if (isCommit) commitsAfter += 1;
      continue;
    }
    frames += 1;
    if (log.readUInt32BE(at) === 1) mark = markIn(log, at + FRAME_HEADER);
  }
  // A commit is on the disk before the next begins, so a power cut can tear the last one only.
  return { mark, lostCommits: Math.max(0, commitsAfter - 1), isEmpty: frames === 0 };
}

/** Says what is wrong with the two, or undefined. */
export function disagreement(
  database: DatabaseHead | undefined,
  log: LogReading | undefined,
): string | undefined {
  if (log === undefined || log.isEmpty) {
    return log !== undefined && log.lostCommits > 0
      ? 'the head of its write-ahead log (the "-wal" file beside it) cannot be read, so the last commits are lost'
      : undefined;
  }
  if (log.lostCommits > 0) {
    return `its write-ahead log (the "-wal" file beside it) is damaged in the middle: ${log.lostCommits} later commits cannot be read`;
  }
  // SQLite deletes the log of a database that is missing or empty.
  if (database === undefined)
    return 'the database is missing or empty, and its write-ahead log (the "-wal" file beside it) is there';
  if (log.mark === undefined) return undefined;
  const { generation, base } = log.mark;
  if (database.generation < base) {
    return 'the database is older than its write-ahead log (the "-wal" file beside it): what was written between them is missing';
  }
  if (database.generation > generation) {
    return 'the database is newer than its write-ahead log (the "-wal" file beside it), which belongs to an older copy';
  }
  return undefined;
}

function markIn(page: Buffer, at: number): Mark {
  return { generation: page.readInt32BE(at + 60), base: page.readInt32BE(at + 68) };
}

interface Checksum {
  add(from: number, length: number): Checksum;
  /** Whether the two sums stand there. */
  equals(at: number): boolean;
}

/** SQLite's checksums: two sums over pairs of 32-bit words, each carried on from the frame before. */
function checksums(log: Buffer, bigEndian: boolean): Checksum {
  const view = new DataView(log.buffer, log.byteOffset, log.length);
  let first = 0;
  let second = 0;
  const sum: Checksum = {
    add(from, length) {
      for (let at = from; at < from + length; at += 8) {
        first = (first + view.getUint32(at, !bigEndian) + second) >>> 0;
        second = (second + view.getUint32(at + 4, !bigEndian) + first) >>> 0;
      }
      return sum;
    },
    equals: (at) => view.getUint32(at) === first && view.getUint32(at + 4) === second,
  };
  return sum;
}

/** False if there is no such file, or not so much in it. */
function readStart(path: string, into: Buffer): boolean {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
  try {
    return readSync(file, into, 0, into.length, 0) === into.length;
  } finally {
    closeSync(file);
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
