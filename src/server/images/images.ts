/**
 * Token images by CID, in a blob store of their own. Concurrent readers of an image share its bytes, so that many slow
 * readers hold one copy; a bounded number of bytes stays in memory.
 */
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import { imageCid, sha256OfCid } from './image-cid.ts';

const CACHED_BYTES = 32 * 1024 * 1024;
/** Milliseconds. Another process may have removed the image. */
const CACHED_FOR = 60_000;
/** Images being read hold memory that the cache does not count yet. */
const CONCURRENT_READS = 16;

export interface Images {
  /** Resolves with the CID once the image is stored durably. */
  put(jpeg: Uint8Array): Promise<string>;
  /** Undefined for a missing image and for a name that is no CID. The bytes are shared: do not change them. */
  get(cid: string): Promise<Uint8Array | undefined>;
  has(cid: string): Promise<boolean>;
  /** Like `BlobStore.keep`: once it returns true, no removal of images left alone since an earlier time takes the image. */
  keep(cid: string): Promise<boolean>;
  leftAlone(since: Date): AsyncIterable<string>;
  remove(cid: string, leftAloneSince: Date): Promise<boolean>;
}

export function createImages(
  blobs: Pick<BlobStore, 'put' | 'read' | 'has' | 'keep' | 'leftAlone' | 'remove'>,
  cachedBytes = CACHED_BYTES,
): Images {
  const limit = pLimit(CONCURRENT_READS);
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: cachedBytes,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
    ttl: CACHED_FOR,
  });
  const reads = new Map<string, Promise<Uint8Array | undefined>>();

  async function read(sha256: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await limit(() => blobs.read(sha256, 0, Number.MAX_SAFE_INTEGER));
      // A removal in the meantime has deleted the read.
      if (bytes !== undefined && reads.has(sha256)) cache.set(sha256, bytes);
      return bytes;
    } finally {
      reads.delete(sha256);
    }
  }

  return {
    put: async (jpeg) => imageCid(await blobs.put([jpeg])),
    async get(cid) {
      const sha256 = sha256OfCid(cid);
      if (sha256 === undefined) return undefined;
      const cached = cache.get(sha256);
      if (cached !== undefined) return cached;
      const reading = reads.get(sha256) ?? read(sha256);
      reads.set(sha256, reading);
      return reading;
    },
    has: async (cid) => blobs.has(sha256OfCid(cid) ?? ''),
    keep: async (cid) => blobs.keep(sha256OfCid(cid) ?? ''),
    async *leftAlone(since) {
      for await (const sha256 of blobs.leftAlone(since)) yield imageCid(sha256);
    },
    async remove(cid, leftAloneSince) {
      const sha256 = sha256OfCid(cid) ?? '';
      const removed = await blobs.remove(sha256, leftAloneSince);
      if (removed) {
        cache.delete(sha256);
        reads.delete(sha256);
      }
      return removed;
    },
  };
}
