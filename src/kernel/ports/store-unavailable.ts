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

/** What is wrong with a store, for its operator. */
export interface StoreTrouble {
  readonly kind: 'damaged' | 'disk full' | 'disk failed' | 'not answering' | 'refused';
  /** The name of the file, folder or server. Anybody may read it, so it has no path. */
  readonly where: string;
  readonly reason: string;
  readonly whatToDo: string;
}
