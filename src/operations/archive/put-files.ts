/** Puts the images, or the ledgers with the transparency log, of a restored folder into a store on a server. */
import { isEqual } from 'levy-transparency-log';
import pMap from 'p-map';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import { ContentDamaged, OperatorError } from '../../kernel/ports/errors.ts';

/** Both stores take several calls at once; more would only take memory. */
const AT_ONCE = 4;
/** Bytes that are read at a time. */
const PIECE = 1024 * 1024;
/** Everything was stored before it. */
const EVER = new Date(8_640_000_000_000_000);

/** Puts the blobs that are missing or damaged at the target. */
export async function putBlobs(source: BlobStore, target: BlobStore): Promise<void> {
  const work = async (sha256: string) => {
    if (!(await isWhole(target, sha256))) await target.put(piecesOf(source, sha256));
  };
  await pMap(source.leftAlone(EVER), work, { concurrency: AT_ONCE });
}

/** The first read of a blob compares all of it with its name. */
export async function isWhole(store: BlobStore, sha256: string): Promise<boolean> {
  try {
    return (await store.keep(sha256)) && (await store.read(sha256, 0, 1)) !== undefined;
  } catch (error) {
    if (error instanceof ContentDamaged) return false;
    throw error;
  }
}

async function* piecesOf(source: BlobStore, sha256: string): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; offset += PIECE) {
    const piece = (await source.read(sha256, offset, PIECE)) ?? new Uint8Array();
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) return;
  }
}

/** Rejects with `OperatorError`, and has changed nothing, where the target has other files: those of another transparency log, or of a longer one. */
export async function putNamedFiles(source: BlobStore, target: BlobStore): Promise<void> {
  for await (const name of target.listFiles('')) {
    // A restore with --last-checkpoint writes another note than one without it.
    if (name.endsWith('/restored')) continue;
    const [there, given] = [await target.getFile(name), await source.getFile(name)];
    if (there !== undefined && (given === undefined || !isEqual(there, given)))
      throw new OperatorError(
        `the store of ledgers (LEDGER_STORE_URL) holds the file ${name}, which is not that of the backup: name an empty store`,
      );
  }
  for await (const name of source.listFiles('')) {
    const bytes = await source.getFile(name);
    if (bytes !== undefined) await target.putFile(name, bytes);
  }
}
