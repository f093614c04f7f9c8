/** Errors of stores and folders, with the fault and the operator's remedy. Messages contain no secret. */

/** Error whose message states the fault, its location and the remedy for the operator. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** The file is open elsewhere. Two processes on one log would each see only part of it. */
export class StoreInUse extends OperatorError {
  override readonly name = 'StoreInUse';
  constructor(path: string) {
    super(`"${path}" is in use: another process, or this one, has it open. Stop that process first`);
  }
}

/**
 * Format of stored data: the log, and files of read models. A build reads only its own format. Must be raised whenever data
 * stored by earlier builds becomes unreadable.
 */
export const FORMAT = 3;

/** Data written by a build with another format. Nothing is changed. */
export class OtherFormat extends OperatorError {
  override readonly name = 'OtherFormat';
  /** `found`: recorded format; undefined for data without one. */
  constructor(where: string, found: unknown) {
    const written = found === undefined ? 'without a format' : `in format ${JSON.stringify(found)}`;
    super(
      `${where} was written ${written}, but this build reads only format ${FORMAT}: use the build that wrote it, or start with an empty DATA_DIR`,
    );
  }
}

/** The store cannot carry out the call: it was closed, or has a fault. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** Remedy for the operator, if known. */
  readonly whatToDo: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly whatToDo?: string } = {}) {
    super(message, options);
    this.whatToDo = options.whatToDo;
  }
}

/** Fault of a store, described for its operator. */
export interface StoreTrouble {
  readonly kind: 'damaged' | 'disk full' | 'disk failed' | 'not answering' | 'refused';
  /** Name of the file, folder or server. Public, so it contains no path. */
  readonly where: string;
  readonly reason: string;
  readonly whatToDo: string;
}

/** The stored content does not match its name, which is its hash: it was edited, or a disk damaged it. */
export class ContentDamaged extends Error {
  override readonly name = 'ContentDamaged';
  readonly what: 'ledger file' | 'image';
  /** SHA-256 by which the content is named. */
  readonly file: string;

  /** `where` is for the operator: a folder, or collections of a database. */
  constructor(what: ContentDamaged['what'], file: string, where: string) {
    super(
      `the ${what} ${file} in ${where} is damaged: its bytes do not match its hash. Restore it from a backup`,
    );
    this.what = what;
    this.file = file;
  }
}
