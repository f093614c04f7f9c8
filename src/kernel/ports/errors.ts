/** Errors of stores and folders: what is wrong, and what the operator can do. Their messages hold no secret. */

/** An error whose message is a sentence for the operator: what is wrong, where, and what to do. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
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

/** The format of stored data: the log, and files of read models. A build reads its own alone. Raised whenever stored data of the builds before can no longer be read. */
export const FORMAT = 3;

/** Data that a build with another format has written. Nothing is changed. */
export class OtherFormat extends OperatorError {
  override readonly name = 'OtherFormat';
  /** `found`: the format that is recorded; undefined where none is. */
  constructor(where: string, found: unknown) {
    const written = found === undefined ? 'without a format' : `in format ${JSON.stringify(found)}`;
    super(
      `${where} was written ${written}, and this build reads format ${FORMAT} alone: use the build that wrote it, or begin with an empty DATA_DIR`,
    );
  }
}

/** The store cannot do what was asked: it was closed, or something is wrong with it. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** For the operator, where it is known. */
  readonly whatToDo: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly whatToDo?: string } = {}) {
    super(message, options);
    this.whatToDo = options.whatToDo;
  }
}

/** Faults of a store, described for its operator. */
export interface StoreTrouble {
  readonly kind: 'damaged' | 'disk full' | 'disk failed' | 'not answering' | 'refused';
  /** The name of the file, folder or server. Anybody may read it, so it has no path. */
  readonly where: string;
  readonly reason: string;
  readonly whatToDo: string;
}

/** The stored content does not match its name, which is its hash: it was edited, or a disk damaged it. */
export class ContentDamaged extends Error {
  override readonly name = 'ContentDamaged';
  readonly what: 'ledger file' | 'image';
  /** The SHA-256 that names it. */
  readonly file: string;

  /** `where` is for the operator: a folder, or collections of a database. */
  constructor(what: ContentDamaged['what'], file: string, where: string) {
    super(
      `the ${what} ${file} in ${where} is damaged: its bytes are not those of its name. Put it back from a backup`,
    );
    this.what = what;
    this.file = file;
  }
}
