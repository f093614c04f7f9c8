/**
 * Stores bytes named by their SHA-256 (64 lower-case hex digits), and files under names of their own. Images are in one
 * such store, ledgers and the transparency log in another.
 * `test/contracts/blob-store.contract.ts` checks every adapter.
 *
 * **No content is returned before it was compared with its name.** The first read of a blob that the process did not put itself reads
 * all of it; later ones compare what they read with what was found to be right then, whatever became of the file since. Bytes
 * that differ reject with `ContentDamaged`, until the right ones are put or laid in their place.
 *
 * A blob is left alone from the moment when it was last put or kept. Removal checks that moment and removes in one step:
 * a blob that is kept before its removal stays, and a later `keep` returns false.
 */

export interface BlobStore {
  /**
   * Stores the pieces durably, one after another, and resolves with their SHA-256: the whole is never in memory. A piece
   * may be reused once the next one is asked for. Storing the same bytes again only restarts the time that they are left
   * alone, and replaces a blob that is damaged. Nothing is stored when the pieces fail.
   */
  put(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string>;
  /**
   * The bytes from `offset` on, fewer at the end; undefined if there is no such blob. Costs what the bytes cost, not what
   * the blob does, once the blob was read. Throws a RangeError for an offset or a length that is not a whole number from 0
   * on.
   */
  read(sha256: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  /** In bytes; undefined if there is no such blob. A name that is not a SHA-256 counts as not found, here and elsewhere. */
  size(sha256: string): Promise<number | undefined>;
  /** True if there is a blob of that name, right or damaged. */
  has(sha256: string): Promise<boolean>;
  /** False if there is no such blob. True: a removal of blobs left alone since before this call will not take it. */
  keep(sha256: string): Promise<boolean>;
  /** All blobs left alone since then, in no order. May include blobs that are put or kept meanwhile. */
  leftAlone(since: Date): AsyncIterable<string>;
  /** Removes the blob if it has been left alone since then, and says whether it did; a missing blob is no error. */
  remove(sha256: string, leftAloneSince: Date): Promise<boolean>;

  /**
   * Stores a file durably under its name; one that is there is replaced in one step, so that no reader sees half of either.
   * Rejects with a TypeError for a name that `isFileName` refuses.
   */
  putFile(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if there is no such file. */
  getFile(name: string): Promise<Uint8Array | undefined>;
  /** The names that begin with the prefix, in no order. */
  listFiles(prefix: string): AsyncIterable<string>;

  close(): Promise<void>;
}

const LONGEST_NAME = 200;

/**
 * Parts of lower-case letters, digits, dots, hyphens and underscores, separated by slashes; each begins with a letter or
 * a digit. What every adapter can keep apart: no name differs from another by case alone, or leaves its folder.
 */
export function isFileName(name: string): boolean {
  return name.length <= LONGEST_NAME && /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/.test(name);
}

export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
