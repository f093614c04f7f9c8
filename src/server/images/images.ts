/**
 * Token images by CID, in their own blob store. Concurrent readers of an image share its bytes, so that many slow
 * readers need one copy; the cache is bounded in bytes.
 */
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import { imageCid, sha256OfCid } from './image-cid.ts';
import { thumbnailOf } from './process-image.ts';

const CACHED_BYTES = 32 * 1024 * 1024;
/** Some 4,000 images. Computing one takes 10 ms of a core, so only one is computed at a time. */
const CACHED_THUMBNAIL_BYTES = 16 * 1024 * 1024;
/** Cache lifetime in milliseconds; short, because another process may have removed the image. */
const CACHED_FOR = 60_000;
/** Limited, because images being read use memory that the cache does not count. */
const CONCURRENT_READS = 16;

export type Images = ReturnType<typeof createImages>;

export function createImages(
  blobs: Pick<BlobStore, 'put' | 'read' | 'has' | 'retain' | 'leftAlone' | 'remove'>,
  cachedBytes = CACHED_BYTES,
) {
  const limit = pLimit(CONCURRENT_READS);
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: cachedBytes,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
    ttl: CACHED_FOR,
    fetchMethod: (sha256) => limit(() => blobs.read(sha256, 0, Number.MAX_SAFE_INTEGER)),
  });
  const oneAtATime = pLimit(1);
  const thumbnails = new LRUCache<string, Uint8Array>({
    maxSize: CACHED_THUMBNAIL_BYTES,
    sizeCalculation: (bytes) => bytes.length,
    async fetchMethod(cid) {
      const jpeg = await get(cid);
      return jpeg && oneAtATime(() => thumbnailOf(jpeg));
    },
  });

  async function get(cid: string) {
    const sha256 = sha256OfCid(cid);
    return sha256 === undefined ? undefined : cache.fetch(sha256);
  }

  return {
    /** Resolves with the CID once the image is stored durably. */
    put: async (jpeg: Uint8Array) => imageCid(await blobs.put([jpeg])),
    /** Undefined for a missing image and for an invalid CID. The bytes are shared: do not change them. */
    get,
    /** The image in the smaller size, computed from the stored one. */
    getSmall: (cid: string) => thumbnails.fetch(cid),
    has: async (cid: string) => blobs.has(sha256OfCid(cid) ?? ''),
    /** Like `BlobStore.retain`: after true, a removal of images unused since an earlier time skips this image. */
    retain: async (cid: string) => blobs.retain(sha256OfCid(cid) ?? ''),
    async *leftAlone(since: Date): AsyncIterable<string> {
      for await (const sha256 of blobs.leftAlone(since)) yield imageCid(sha256);
    },
    async remove(cid: string, leftAloneSince: Date) {
      const sha256 = sha256OfCid(cid) ?? '';
      const removed = await blobs.remove(sha256, leftAloneSince);
      // `has` is false while the image is being read. Deleting that entry would fail its readers.
      if (removed && cache.has(sha256)) cache.delete(sha256);
      return removed;
    },
  };
}
