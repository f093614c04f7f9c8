/**
 * Copies images, or what is in the store of ledgers, to another store, and reads it there again: what has the bytes of its
 * name, or those of the source, is copied. What is there already is only compared, so a copy that was interrupted goes on
 * where it stopped, and one that is made again fetches what is new. What is damaged at the target is replaced.
 */

import pMap from 'p-map';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import { ContentDamaged } from '../../kernel/ports/errors.ts';
import { copyNamedFiles } from './copy-named-files.ts';
import { type CopyFilesTold, countFiles, type FilesCopied, RemovedMeanwhile } from './counted-files.ts';

/** Both stores take several calls at once; more would only take memory. */
const AT_ONCE = 4;
/** Bytes that are read at a time. */
const PIECE = 1024 * 1024;
/** Whatever was put or kept by then: everything. */
const EVER = new Date(8_640_000_000_000_000);

/** The files that are replaced as a log grows come last, and what they name is there before. */
export async function copyBlobs(
  {
    source,
    target,
    content,
  }: {
    readonly source: BlobStore;
    readonly target: BlobStore;
    readonly content: ContentDamaged['what'];
  },
  told: CopyFilesTold,
): Promise<FilesCopied> {
  const count = countFiles(told);
  await forEach(source.leftAlone(EVER), (sha256) =>
    count.faultOr(`the ${content} ${sha256}`, async () => {
      const kept = (await target.keep(sha256)) ? await unlessDamaged(lengthOf(target, sha256)) : undefined;
      if (kept !== undefined) return count.compared(kept, 0);
      // Nothing is stored when its pieces fail.
      await target.put(piecesOf(source, sha256));
      const copied = await at('target', lengthOf(target, sha256));
      if (copied === undefined) throw damaged('target');
      count.compared(copied, 1);
    }),
  );
  await copyNamedFiles({ source, target }, count);
  return count.result();
}

/** Undefined where it is damaged: the bytes of the source replace it. */
async function unlessDamaged<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ContentDamaged) return undefined;
    throw error;
  }
}

async function at<Found>(where: 'source' | 'target', reading: Promise<Found>): Promise<Found> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof ContentDamaged ? damaged(where) : error;
  }
}

function damaged(where: 'source' | 'target'): Error {
  return new Error(
    `its bytes at the ${where} are not those of its name. Put it back from a backup there, and copy again`,
  );
}

/** Reads all of it; undefined if it is not there. */
async function lengthOf(store: Pick<BlobStore, 'read'>, sha256: string): Promise<number | undefined> {
  for (let length = 0; ; ) {
    const piece = await store.read(sha256, length, PIECE);
    if (piece === undefined) return undefined;
    length += piece.length;
    if (piece.length < PIECE) return length;
  }
}

async function* piecesOf(source: Pick<BlobStore, 'read'>, sha256: string): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; offset += PIECE) {
    const piece = await at('source', source.read(sha256, offset, PIECE));
    if (piece === undefined) throw offset === 0 ? new RemovedMeanwhile() : damaged('source');
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) return;
  }
}

async function forEach(names: AsyncIterable<string>, work: (name: string) => Promise<void>): Promise<void> {
  let some: string[] = [];
  for await (const name of names) {
    some.push(name);
    if (some.length < AT_ONCE) continue;
    await pMap(some, work, { concurrency: AT_ONCE });
    some = [];
  }
  await pMap(some, work, { concurrency: AT_ONCE });
}
