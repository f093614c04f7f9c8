/**
 * Compares what is read of a blob with its name. A range cannot be compared with the SHA-256 of the whole: so the whole is
 * read once, and the digests of its blocks are kept in memory. Every range is read in whole blocks, which are compared with
 * them. So what changes later, in place and with its size and times kept, is noticed by whoever reads it.
 */
import { ContentDamaged } from '../ports/content-damaged.ts';
import { areRight, BLOCK, blockEnd, createDigesting } from './block-digests.ts';
import { createKnownDigests, PIECE, type UncheckedBlobs } from './known-digests.ts';

export interface CheckedBlobs {
  /** Rejects with `ContentDamaged`. Throws a RangeError for an offset or a length that is not a whole number from 0 on. */
  read(sha256: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  size(sha256: string): Promise<number | undefined>;
  readUnchecked(sha256: string): Promise<Uint8Array | undefined>;
  /** Hands the pieces on to `store`, which gives their SHA-256: what this process put need not be read before it is known. */
  put(
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    store: (pieces: AsyncIterable<Uint8Array>) => Promise<string>,
  ): Promise<string>;
  forget(sha256: string): void;
}

export function createCheckedBlobs(blobs: UncheckedBlobs): CheckedBlobs {
  const digests = createKnownDigests(blobs);
  return {
    async read(sha256, offset, length) {
      requireRange(offset, length);
      const right = await digests.of(sha256);
      if (right === undefined) return undefined;
      const end = Math.min(offset + length, right.size);
      if (end <= offset) return new Uint8Array(0);
      const begin = offset - (offset % BLOCK);
      const wanted = Math.min(blockEnd(end), right.size) - begin;
      const blocks = await blobs.read(sha256, begin, wanted);
      // Cut out: the rest of its blocks is not kept in memory as long as a few of its bytes.
      if (blocks?.length === wanted && areRight(blocks, begin, right))
        return Uint8Array.prototype.slice.call(blocks, offset - begin, end - begin);
      digests.forget(sha256);
      if (blocks === undefined) return undefined;
      throw new ContentDamaged(blobs.content, sha256, blobs.where);
    },

    async size(sha256) {
      const size = await blobs.size(sha256);
      const right = await digests.of(sha256);
      if (size !== undefined && size === right?.size) return size;
      // Removed, replaced or changed since.
      digests.forget(sha256);
      return (await digests.of(sha256))?.size;
    },

    async readUnchecked(sha256) {
      const pieces: Uint8Array[] = [];
      for (let offset = 0; ; offset += PIECE) {
        const piece = await blobs.read(sha256, offset, PIECE);
        if (piece === undefined) return undefined;
        pieces.push(piece);
        if (piece.length < PIECE) return Buffer.concat(pieces);
      }
    },

    async put(pieces, store) {
      const building = createDigesting();
      async function* handedOn() {
        for await (const piece of pieces) {
          building.add(piece);
          yield piece;
        }
      }
      const sha256 = await store(handedOn());
      digests.note(sha256, building.end());
      return sha256;
    },

    forget: digests.forget,
  };
}

function requireRange(...numbers: readonly number[]): void {
  for (const number of numbers)
    if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`${number} is no place in a blob`);
}
