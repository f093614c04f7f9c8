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
