/** Classifies SQLite's errors about the file and its disk, with messages for operators and callers. */

import { basename } from 'node:path';
import { OperatorError, StoreInUse, type StoreTrouble, StoreUnavailable } from '../../kernel/ports/errors.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';

export class StoreDamaged extends OperatorError {
  override readonly name = 'StoreDamaged';
  /** Without the path and the remedy. */
  readonly reason: string;
  constructor(path: string, reason: string, cause?: unknown) {
    super(`"${path}" is damaged: ${reason}. ${REPAIR_DAMAGE}`, { cause });
    this.reason = reason;
  }
}

/** The file, or its folder, cannot be opened or written. */
export class StoreNotWritable extends OperatorError {
  override readonly name = 'StoreNotWritable';
  constructor(path: string, cause: Error) {
    super(
      `"${path}" cannot be opened for writing (${cause.message}): grant the service's user write permission on the file and its folder; the file system must not be read-only`,
      { cause },
    );
  }
}

/** The file, or its folder, cannot be read. */
export class StoreNotReadable extends OperatorError {
  override readonly name = 'StoreNotReadable';
  constructor(path: string, reason: string, cause?: unknown) {
    super(`"${path}" cannot be read: ${reason}`, { cause });
  }
}

const REPAIR_DAMAGE =
  'If it contains only read models (READ_MODEL_URL), delete the file and its "-wal" file: they are rebuilt from the log. ' +
  'Restore a log from a backup: see docs/how-to/operate/repair-a-damaged-log.md';

export interface Failure {
  readonly kind: Exclude<StoreTrouble['kind'], 'not answering' | 'refused'>;
  readonly reason: string;
  readonly cause: unknown;
}

/** A full disk can recover. After any other failure, the operating system's cached writes cannot be trusted. */
export const isFinal = ({ kind }: Failure) => kind !== 'disk full';

/** True for a failure of another kind than the last, unless the last was permanent. */
export function isNews(kind: Failure['kind'], known: Failure | undefined): boolean {
  return known === undefined || (known.kind !== kind && !isFinal(known));
}

export function storeTroubleOf(path: string, { kind, reason }: Failure): StoreTrouble {
  const where = basename(path);
  switch (kind) {
    case 'damaged':
      return {
        kind,
        where,
        reason,
        whatToDo: 'restore a backup: docs/how-to/operate/repair-a-damaged-log.md',
      };
    case 'disk full':
      return {
        kind,
        where,
        reason,
        whatToDo: 'free disk space: writing resumes automatically (docs/how-to/operate/free-disk-space.md)',
      };
    case 'disk failed':
      return {
        kind,
        where,
        reason,
        whatToDo: 'repair the disk, then restart (docs/how-to/operate/free-disk-space.md)',
      };
  }
}

export function withRemedy(path: string, error: unknown): unknown {
  if (isBusy(error)) return new StoreInUse(path);
  if (troubleOf(error) === 'damaged') return new StoreDamaged(path, errorMessage(error), error);
  if (error instanceof Error && NOT_WRITABLE.some((code) => errorCode(error).startsWith(code)))
    return new StoreNotWritable(path, error);
  return error;
}

const NOT_WRITABLE = ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'EACCES', 'EPERM', 'EROFS'];

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function transactionLost(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const reason = errorMessage(error);
  return new StoreUnavailable(`the transaction was lost: ${reason}`, { cause: error });
}

/** Kind of failure of the file or its disk; undefined for other errors. */
export function troubleOf(error: unknown): Failure['kind'] | undefined {
  const codes = [error, error instanceof Error ? error.cause : undefined].map(errorCode);
  const isOneOf = (...known: readonly string[]) =>
    codes.some((code) => known.some((each) => code.startsWith(each)));
  if (isOneOf('SQLITE_FULL')) return 'disk full';
  if (isOneOf('SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ')) return 'damaged';
  return isOneOf('SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN') ? 'disk failed' : undefined;
}

const isBusy = (error: unknown) => errorCode(error).startsWith('SQLITE_BUSY');
