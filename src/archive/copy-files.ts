/**
 * Copies images, or what is in the store of ledgers, to another store, and reads it there again: what has the bytes of its
 * name, or those of the source, is copied. What is there already is only compared, so a copy that was interrupted goes on
 * where it stopped, and one that is made again fetches what is new.
 */
import { createHash } from 'node:crypto';
import { imageCid } from '../images/image-cid.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ImageStore } from '../ports/image-store.ts';
import { sideBySide } from '../runtime/side-by-side.ts';
import { copyNamedFiles } from './copy-named-files.ts';
import { type CopyFilesTold, countFiles, type FilesCopied, RemovedMeanwhile } from './counted-files.ts';

/** Both stores take several calls at once; more would only take memory. */
const AT_ONCE = 4;
/** Bytes that are read at a time. */
const PIECE = 1024 * 1024;
/** Whatever was put or kept by then: everything. */
const EVER = new Date(8_640_000_000_000_000);

export async function copyImages(
  { source, target }: { readonly source: ImageStore; readonly target: ImageStore },
  told: CopyFilesTold,
): Promise<FilesCopied> {
  const count = countFiles(told);
  await forEach(source.leftAlone(EVER), (cid) =>
    count.faultOr(`the image ${cid}`, async () => {
      const isThere = await target.keep(cid);
      if (!isThere) {
        const bytes = await source.get(cid);
        // Removed meanwhile, because nothing uses it.
        if (bytes === undefined) return;
        if (imageCid(bytes) !== cid) throw damaged('source');
        await target.put(cid, bytes);
      }
      const copied = await target.get(cid);
      if (copied === undefined || imageCid(copied) !== cid) throw damaged('target');
      count.compared(copied.length, isThere ? 0 : 1);
    }),
  );
  return count.result();
}

/** The files that are replaced as a log grows come last, and what they name is there before. */
export async function copyLedgers(
  { source, target }: { readonly source: BlobStore; readonly target: BlobStore },
  told: CopyFilesTold,
): Promise<FilesCopied> {
  const count = countFiles(told);
  await forEach(source.leftAlone(EVER), (sha256) =>
    count.faultOr(`the ledger file ${sha256}`, async () => {
      const isThere = await target.keep(sha256);
      // Nothing is stored when its pieces fail.
      if (!isThere) await target.put(wholePieces(source, sha256, 'source'));
      let bytes = 0;
      for await (const piece of wholePieces(target, sha256, 'target')) bytes += piece.length;
      count.compared(bytes, isThere ? 0 : 1);
    }),
  );
  await copyNamedFiles({ source, target }, count);
  return count.result();
}

function damaged(where: 'source' | 'target'): Error {
  return new Error(
    `its bytes at the ${where} are not those of its name. Put it back from a backup there, and copy again`,
  );
}

/** Fails at the end if the bytes are not those of the name. */
async function* wholePieces(
  store: Pick<BlobStore, 'read'>,
  sha256: string,
  where: 'source' | 'target',
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for (let offset = 0; ; offset += PIECE) {
    const piece = await store.read(sha256, offset, PIECE);
    if (piece === undefined)
      throw offset === 0 && where === 'source' ? new RemovedMeanwhile() : damaged(where);
    hash.update(piece);
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) break;
  }
  if (hash.digest('hex') !== sha256) throw damaged(where);
}

async function forEach(names: AsyncIterable<string>, work: (name: string) => Promise<void>): Promise<void> {
  let some: string[] = [];
  for await (const name of names) {
    some.push(name);
    if (some.length < AT_ONCE) continue;
    await sideBySide(some, AT_ONCE, work);
    some = [];
  }
  await sideBySide(some, AT_ONCE, work);
}
