/** What is stored under a name that says its content has other content: somebody changed it, or a disk did. */
export class ContentDamaged extends Error {
  override readonly name = 'ContentDamaged';
  readonly what: 'ledger file' | 'image';
  /** The SHA-256 or the CID. */
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
