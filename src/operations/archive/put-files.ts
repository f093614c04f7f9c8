/** Uploads the images, or the ledgers with the transparency log, of a restored folder to a store on a server. */
import { isEqual } from 'levy-transparency-log';
import pMap from 'p-map';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import { ContentDamaged, OperatorError } from '../../kernel/ports/errors.ts';

/** Concurrent calls; more would only use memory. */
const CONCURRENT_FILES = 4;
/** Bytes per read. */
const CHUNK = 1024 * 1024;
/** Maximum date, so that every blob counts as older. */
const EVER = new Date(8_640_000_000_000_000);

/** Uploads the blobs that are missing or damaged in the target. */
export async function putBlobs(source: BlobStore, target: BlobStore): Promise<void> {
  const work = async (sha256: string) => {
    if (!(await isIntact(target, sha256))) await target.put(chunksOf(source, sha256));
  };
  await pMap(source.leftAlone(EVER), work, { concurrency: CONCURRENT_FILES });
}

/** True if the blob is intact: the first read of a blob checks its hash. */
export async function isIntact(store: BlobStore, sha256: string): Promise<boolean> {
  try {
    return (await store.retain(sha256)) && (await store.read(sha256, 0, 1)) !== undefined;
  } catch (error) {
    if (error instanceof ContentDamaged) return false;
    throw error;
  }
}

async function* chunksOf(source: BlobStore, sha256: string): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; offset += CHUNK) {
    const piece = (await source.read(sha256, offset, CHUNK)) ?? new Uint8Array();
    if (piece.length > 0) yield piece;
    if (piece.length < CHUNK) return;
  }
}

/**
 * Rejects with `OperatorError`, before any change, if the target has files of another transparency log, or of a longer one.
 */
export async function putNamedFiles(source: BlobStore, target: BlobStore): Promise<void> {
  for await (const name of target.listFiles('')) {
    // A restore with --last-checkpoint writes a different note than a restore without it.
    if (name.endsWith('/restored')) continue;
    const [there, given] = [await target.getFile(name), await source.getFile(name)];
    if (there !== undefined && (given === undefined || !isEqual(there, given)))
      throw new OperatorError(
        `the file ${name} in the store of ledgers (LEDGER_STORE_URL) differs from the backup; use an empty store`,
      );
  }
  for await (const name of source.listFiles('')) {
    const bytes = await source.getFile(name);
    if (bytes !== undefined) await target.putFile(name, bytes);
  }
}
