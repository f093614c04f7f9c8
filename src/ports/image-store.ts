/** Where token images are kept, named by their content. Checked of every adapter by `test/contracts/image-store.contract.ts`. */

export interface ImageStore {
  /** Stores the bytes durably under their CID. The same bytes again change nothing. */
  put(cid: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or undefined if there is no such image. A name that is no CID is simply not found. */
  get(cid: string): Promise<Uint8Array | undefined>;
  has(cid: string): Promise<boolean>;
  /** Removing what is not there is no error. */
  remove(cid: string): Promise<void>;
  close(): Promise<void>;
}
