/**
 * Reads each image once for all concurrent callers: they share its bytes, so that many slow readers of one image hold one
 * copy. A bounded number of bytes stays in memory.
 */
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { ImageStore } from '../../kernel/ports/image-store.ts';
import { withMethods } from '../../kernel/runtime/around-calls.ts';

const KEPT_BYTES = 32 * 1024 * 1024;
/** Milliseconds. Another process may have removed the image. */
const KEPT_FOR = 60_000;
/** Images being read hold memory before anybody has counted them. */
const READ_AT_A_TIME = 16;

/** The bytes that `get` gives must not be changed. */
export function shareImages(store: ImageStore, keptBytes = KEPT_BYTES): ImageStore {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: keptBytes,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
    ttl: KEPT_FOR,
  });
  const reading = new Map<string, Promise<Uint8Array | undefined>>();
  const inTurn = pLimit(READ_AT_A_TIME);

  async function read(cid: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await inTurn(() => store.get(cid));
      // A removal meanwhile has taken this reading off the list.
      if (bytes !== undefined && reading.has(cid)) kept.set(cid, bytes);
      return bytes;
    } finally {
      reading.delete(cid);
    }
  }

  return withMethods(store, {
    get(cid) {
      const known = kept.get(cid);
      if (known !== undefined) return Promise.resolve(known);
      const underWay = reading.get(cid) ?? read(cid);
      reading.set(cid, underWay);
      return underWay;
    },

    async remove(cid, leftAloneSince) {
      const removed = await store.remove(cid, leftAloneSince);
      if (removed) {
        kept.delete(cid);
        reading.delete(cid);
      }
      return removed;
    },
  });
}
