/**
 * Stores bytes named by their SHA-256 (64 lower-case hex digits), and files with chosen names. Images are in one
 * such store, ledgers and the transparency log in another. `test/contracts/blob-store.contract.ts` checks every
 * adapter.
 *
 * **No content is returned before it was checked against its name.** The first read of a blob that the process did
 * not store itself reads all of it. Later reads check the bytes against digests from that read, even if the file has
 * changed since. Bytes that differ reject with `ContentDamaged`, until the right ones are stored or restored.
 *
 * A blob is unused since its last `put` or `retain`. A removal checks that time and removes the blob in one step: a
 * blob that was retained before stays, and after the removal `retain` returns false.
 */

export interface BlobStore {
  /**
   * Stores the pieces durably, one after another, and resolves with their SHA-256. The whole is never in memory, and a piece
   * may be reused once the next one is requested. Storing the same bytes again only updates the time of last use, and
   * replaces a damaged blob. If the pieces fail, nothing is stored.
   */
  put(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string>;
  /**
   * Bytes from `offset` on, fewer at the end; undefined if the blob does not exist. After the first read of a blob, the cost
   * depends only on the bytes read. Throws a RangeError unless offset and length are integers from 0 on.
   */
  read(sha256: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  /** Bytes; undefined if the blob does not exist. In all methods, a name that is not a SHA-256 counts as not found. */
  size(sha256: string): Promise<number | undefined>;
  /** True if a blob of that name exists, even a damaged one. */
  has(sha256: string): Promise<boolean>;
  /**
   * Updates the time of last use, so that removals of blobs unused since an earlier time fail. False if the blob does not
   * exist.
   */
  retain(sha256: string): Promise<boolean>;
  /** Lists the blobs unused since a time, in no order. May include blobs stored or retained during the call. */
  leftAlone(since: Date): AsyncIterable<string>;
  /** Removes the blob if it is unused since that time; resolves with false otherwise, and for a missing blob. */
  remove(sha256: string, leftAloneSince: Date): Promise<boolean>;

  /**
   * Stores a file durably under its name. Replaces an existing file atomically, so that readers never see a mixture. Rejects
   * with a TypeError for a name that `isFileName` rejects.
   */
  putFile(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if the file does not exist. */
  getFile(name: string): Promise<Uint8Array | undefined>;
  /** Names that begin with the prefix, in no order. */
  listFiles(prefix: string): AsyncIterable<string>;

  close(): Promise<void>;
}

const MAX_NAME = 200;

/**
 * True for parts of lower-case letters, digits, dots, hyphens and underscores, separated by slashes, each beginning with a
 * letter or digit. All adapters can store such names: no two differ by case only, and none leads out of its folder.
 */
export function isFileName(name: string): boolean {
  return name.length <= MAX_NAME && /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/.test(name);
}

export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
