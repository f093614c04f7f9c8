/**
 * Compares what is read of a blob with its name. A range cannot be compared with the SHA-256 of the whole: so the whole is
 * read once, and the digests of its blocks are kept in memory. Every range is read in whole blocks, which are compared with
 * them. So what changes later, in place and with its size and times kept, is noticed by whoever reads it.
 */
import { createHash, hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { ContentDamaged } from '../ports/content-damaged.ts';

/** So small that a record in the midst costs little, and so large that the digests of 16 GiB fit into the memory below. */
const BLOCK = 16 * 1024;
const DIGEST = 32;
const KEPT_BYTES = 32 * 1024 * 1024;
/** What a blob takes whatever its size. */
const LEAST_BYTES = 256;
/** Read at once while a whole blob is compared: few enough milliseconds that nobody else waits. */
const PIECE = 16 * BLOCK;
/** Many blobs may be asked for at once; each comparison takes the processor. */
const WHOLE_AT_ONCE = 2;
/** What was opened before may be an older file: it is opened again before anybody is told. */
const LOOKS = 2;

export interface UncheckedBlobs {
  /** Bytes from `offset` on, fewer at the end; undefined if there is no such blob. */
  read(sha256: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  size(sha256: string): Promise<number | undefined>;
  /** The next read opens the blob anew. */
  forget(sha256: string): void;
  /** For the operator: where the blobs are. */
  readonly where: string;
}

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

interface Digests {
  readonly size: number;
  readonly ofBlocks: Buffer;
}

export function createCheckedBlobs(blobs: UncheckedBlobs): CheckedBlobs {
  const known = new LRUCache<string, Digests>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ ofBlocks }) => LEAST_BYTES + ofBlocks.length,
  });
  const underWay = new Map<string, Promise<Digests | undefined>>();
  const inTurn = pLimit(WHOLE_AT_ONCE);

  async function digestsOf(sha256: string): Promise<Digests | undefined> {
    const found = known.get(sha256);
    if (found !== undefined) return found;
    const reading =
      underWay.get(sha256) ??
      inTurn(() => compareWhole(sha256)).finally(() => {
        underWay.delete(sha256);
      });
    underWay.set(sha256, reading);
    return reading;
  }

  async function compareWhole(sha256: string): Promise<Digests | undefined> {
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) blobs.forget(sha256);
      const found = await readWhole(sha256);
      if (found === undefined) return undefined;
      if (found.sha256 !== sha256) continue;
      known.set(sha256, found.digests);
      return found.digests;
    }
    blobs.forget(sha256);
    throw new ContentDamaged('ledger file', sha256, blobs.where);
  }

  async function readWhole(sha256: string) {
    const whole = createHash('sha256');
    const building = createDigesting();
    for (let offset = 0; ; offset += PIECE) {
      const piece = await blobs.read(sha256, offset, PIECE);
      if (piece === undefined) return undefined;
      whole.update(piece);
      building.add(piece);
      if (piece.length < PIECE) return { sha256: whole.digest('hex'), digests: building.end() };
    }
  }

  return {
    async read(sha256, offset, length) {
      requireRange(offset, length);
      for (let look = 0; look < LOOKS; look += 1) {
        const digests = await digestsOf(sha256);
        if (digests === undefined) return undefined;
        const end = Math.min(offset + length, digests.size);
        if (end <= offset) return new Uint8Array(0);
        const begin = offset - (offset % BLOCK);
        const wanted = Math.min(blockEnd(end), digests.size) - begin;
        const blocks = await blobs.read(sha256, begin, wanted);
        // Cut out: the rest of its blocks is not kept in memory as long as a few of its bytes.
        if (blocks?.length === wanted && areRight(blocks, begin, digests))
          return Uint8Array.prototype.slice.call(blocks, offset - begin, end - begin);
        known.delete(sha256);
        blobs.forget(sha256);
        if (blocks === undefined) return undefined;
      }
      throw new ContentDamaged('ledger file', sha256, blobs.where);
    },

    async size(sha256) {
      const size = await blobs.size(sha256);
      const digests = await digestsOf(sha256);
      if (size !== undefined && size === digests?.size) return size;
      // Removed, replaced or changed since.
      known.delete(sha256);
      blobs.forget(sha256);
      return (await digestsOf(sha256))?.size;
    },

    async readUnchecked(sha256) {
      blobs.forget(sha256);
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
      blobs.forget(sha256);
      known.set(sha256, building.end());
      return sha256;
    },

    forget(sha256) {
      known.delete(sha256);
      blobs.forget(sha256);
    },
  };
}

/** Takes pieces of any size. */
function createDigesting() {
  const digests: Buffer[] = [];
  let block = createHash('sha256');
  let filled = 0;
  let size = 0;
  const finish = () => {
    digests.push(block.digest());
    block = createHash('sha256');
    filled = 0;
  };
  return {
    add(piece: Uint8Array): void {
      size += piece.length;
      for (let from = 0; from < piece.length; ) {
        const part = piece.subarray(from, from + BLOCK - filled);
        block.update(part);
        filled += part.length;
        from += part.length;
        if (filled === BLOCK) finish();
      }
    },
    end(): Digests {
      if (filled > 0) finish();
      return { size, ofBlocks: Buffer.concat(digests) };
    },
  };
}

function blockEnd(end: number): number {
  return Math.ceil(end / BLOCK) * BLOCK;
}

/** `begin` is that of a block. */
function areRight(bytes: Uint8Array, begin: number, { ofBlocks }: Digests): boolean {
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const first = ((begin + at) / BLOCK) * DIGEST;
    const found = hash('sha256', bytes.subarray(at, at + BLOCK), 'buffer');
    if (!found.equals(ofBlocks.subarray(first, first + DIGEST))) return false;
  }
  return true;
}

function requireRange(...numbers: readonly number[]): void {
  for (const number of numbers)
    if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`${number} is no place in a blob`);
}
