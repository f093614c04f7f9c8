/**
 * Where token images are kept, named by their content. Checked of every adapter by `test/contracts/image-store.contract.ts`.
 *
 * An image is left alone from the moment at which it was last put or kept. That is what removal goes by, in one step with
 * the look at it: an image that is kept before its removal stays, and a later call is told that it is gone.
 */

export interface ImageStore {
  /** Stores the bytes durably under their CID. The same bytes again change nothing but the time since when they are left alone. */
  put(cid: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or undefined if there is no such image. A name that is no CID is simply not found. */
  get(cid: string): Promise<Uint8Array | undefined>;
  has(cid: string): Promise<boolean>;
  /** False if there is no such image. True: no removal takes it that is meant for what was left alone before this call. */
  keep(cid: string): Promise<boolean>;
  /** The CIDs of all images that have been left alone since then, in no order. What is put or kept meanwhile may be among them. */
  leftAlone(since: Date): AsyncIterable<string>;
  /** Removes the image if it has been left alone since then. Whether it was; what is not there is no error. */
  remove(cid: string, leftAloneSince: Date): Promise<boolean>;
  close(): Promise<void>;
}
