/**
 * Stores token images, named by their content. `test/contracts/image-store.contract.ts` checks every adapter.
 *
 * An image is left alone from the moment when it was last put or kept. Removal checks that moment and removes in one
 * step: an image that is kept before its removal stays, and a later `keep` returns false.
 */

export interface ImageStore {
  /**
   * Stores the bytes durably under their CID. Storing the same bytes again only restarts the time that they are left
   * alone, and replaces an image that is damaged.
   */
  put(cid: string, bytes: Uint8Array): Promise<void>;
  /**
   * The bytes, or undefined if there is no such image. A name that is not a CID counts as not found. Rejects with
   * `ContentDamaged` where the stored bytes are not those of the name.
   */
  get(cid: string): Promise<Uint8Array | undefined>;
  has(cid: string): Promise<boolean>;
  /** False if there is no such image. True: a removal of images left alone since before this call will not take it. */
  keep(cid: string): Promise<boolean>;
  /** The CIDs of all images left alone since then, in no order. May include images that are put or kept meanwhile. */
  leftAlone(since: Date): AsyncIterable<string>;
  /** Removes the image if it has been left alone since then, and says whether it did; a missing image is no error. */
  remove(cid: string, leftAloneSince: Date): Promise<boolean>;
  close(): Promise<void>;
}
