/**
 * Groups keys of a log of any size with bounded memory: partitions them by their first bits into temporary files, which are
 * then read one by one.
 */
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Number of files; hundreds of millions of keys then give some hundred thousand keys per file. */
const BUCKETS = 1_024;
const KEY_SIZE = 16;
const ENTRY_SIZE = KEY_SIZE + 1;
/** Bytes buffered per bucket before a write. */
const BUFFER_SIZE = ENTRY_SIZE * 1_024;

interface Bucket {
  readonly buffer: Buffer;
  length: number;
  isOnDisk: boolean;
}

export function openKeyBuckets(parent = tmpdir()) {
  const buckets: (Bucket | undefined)[] = [];
  let folder: string | undefined;

  async function write(index: number, bucket: Bucket): Promise<void> {
    folder ??= await mkdtemp(join(parent, 'levy-audit-'));
    await appendFile(join(folder, String(index)), bucket.buffer.subarray(0, bucket.length), { mode: 0o600 });
    bucket.length = 0;
    bucket.isOnDisk = true;
  }

  async function entriesOf(index: number, { buffer, length, isOnDisk }: Bucket): Promise<Buffer> {
    const kept = buffer.subarray(0, length);
    if (!isOnDisk || folder === undefined) return kept;
    return Buffer.concat([await readFile(join(folder, String(index))), kept]);
  }

  return {
    /** `key`: at least 16 uniformly distributed bytes; only the first 16 count. */
    async put(kind: number, key: Uint8Array): Promise<void> {
      const index = (((key[0] ?? 0) << 8) | (key[1] ?? 0)) % BUCKETS;
      buckets[index] ??= { buffer: Buffer.allocUnsafe(BUFFER_SIZE), length: 0, isOnDisk: false };
      const bucket = buckets[index];
      bucket.buffer.set(key.subarray(0, KEY_SIZE), bucket.length);
      bucket.buffer[bucket.length + KEY_SIZE] = kind;
      bucket.length += ENTRY_SIZE;
      if (bucket.length === BUFFER_SIZE) await write(index, bucket);
    },
    /** Every key (as latin1) with its kind. Equal keys share a bucket and retain their insertion order. */
    async *buckets() {
      for (const [index, bucket] of buckets.entries()) {
        if (bucket === undefined) continue;
        const entries = await entriesOf(index, bucket);
        yield Array.from({ length: entries.length / ENTRY_SIZE }, (_, place) => {
          const at = place * ENTRY_SIZE;
          return { kind: entries[at + KEY_SIZE] ?? 0, key: textOfKey(entries.subarray(at)) };
        });
      }
    },
    /** Deletes the temporary files. */
    async close(): Promise<void> {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a key in the encoding of `buckets`. */
export function textOfKey(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, Math.min(key.length, KEY_SIZE)).toString('latin1');
}
