/**
 * Checks blobs against their names when they are read. A range cannot be checked with the SHA-256 of the whole, so the whole
 * is read once, and the digests of its blocks are cached. Ranges are read in whole blocks and checked with these digests,
 * which detects later changes, even those that preserve size and times.
 */
import { createHash, hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { ContentDamaged } from '../ports/errors.ts';

/**
 * Bytes of a block. Blocks are small, so that reading one record is cheap, but large enough that the digests of 16 GiB fit into
 * 32 MiB.
 */
const BLOCK = 16 * 1024;
const DIGEST = 32;

interface Digests {
  readonly size: number;
  readonly ofBlocks: Buffer;
}

/** Digests pieces of any size. */
function createDigesting(): { add(piece: Uint8Array): void; end(): Digests } {
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
    add(piece) {
      size += piece.length;
      for (let from = 0; from < piece.length; ) {
        const part = piece.subarray(from, from + BLOCK - filled);
        block.update(part);
        filled += part.length;
        from += part.length;
        if (filled === BLOCK) finish();
      }
    },
    end() {
      if (filled > 0) finish();
      return { size, ofBlocks: Buffer.concat(digests) };
    },
  };
}

function blockEnd(end: number): number {
  return Math.ceil(end / BLOCK) * BLOCK;
}

/** `begin` must be the start of a block. */
function areRight(bytes: Uint8Array, begin: number, { ofBlocks }: Digests): boolean {
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const first = ((begin + at) / BLOCK) * DIGEST;
    const found = hash('sha256', bytes.subarray(at, at + BLOCK), 'buffer');
    if (!found.equals(ofBlocks.subarray(first, first + DIGEST))) return false;
  }
  return true;
}

const CACHED_BYTES = 32 * 1024 * 1024;
/** Minimum bytes of an entry. */
const MIN_BYTES = 256;
/** Bytes read at a time while a whole blob is checked; small enough not to delay other work on the event loop. */
const CHUNK = 16 * BLOCK;
/** Maximum number of whole blobs checked concurrently, because each check uses the CPU. */
const CONCURRENT_CHECKS = 2;

interface UncheckedBlobs {
  /** Bytes from `offset` on, fewer at the end; undefined if the blob does not exist. */
  read(sha256: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  size(sha256: string): Promise<number | undefined>;
  readonly content: ContentDamaged['what'];
  /** Location of the blobs, for the operator. */
  readonly where: string;
}

async function readAll(
  blobs: UncheckedBlobs,
  sha256: string,
): Promise<{ readonly sha256: string; readonly digests: Digests } | undefined> {
  const whole = createHash('sha256');
  const building = createDigesting();
  for (let offset = 0; ; offset += CHUNK) {
    const piece = await blobs.read(sha256, offset, CHUNK);
    if (piece === undefined) return undefined;
    whole.update(piece);
    building.add(piece);
    if (piece.length < CHUNK) return { sha256: whole.digest('hex'), digests: building.end() };
  }
}

export function createCheckedBlobs(blobs: UncheckedBlobs) {
  const cached = new LRUCache<string, Digests>({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ ofBlocks }) => MIN_BYTES + ofBlocks.length,
  });
  const pending = new Map<string, Promise<Digests | undefined>>();
  const limit = pLimit(CONCURRENT_CHECKS);
  const damaged = (sha256: string) => new ContentDamaged(blobs.content, sha256, blobs.where);
  const evict = (sha256: string) => void cached.delete(sha256);

  async function compareAll(sha256: string): Promise<Digests | undefined> {
    const found = await readAll(blobs, sha256);
    if (found === undefined) return undefined;
    if (found.sha256 !== sha256) throw damaged(sha256);
    cached.set(sha256, found.digests);
    return found.digests;
  }

  /** Undefined if the blob does not exist. Rejects with `ContentDamaged`. */
  async function digestsOf(sha256: string): Promise<Digests | undefined> {
    const found = cached.get(sha256);
    if (found !== undefined) return found;
    const reading =
      pending.get(sha256) ??
      limit(() => compareAll(sha256)).finally(() => {
        pending.delete(sha256);
      });
    pending.set(sha256, reading);
    return reading;
  }

  return {
    /** Rejects with `ContentDamaged`. Throws a RangeError unless offset and length are integers from 0 on. */
    async read(sha256: string, offset: number, length: number): Promise<Uint8Array | undefined> {
      requireRange(offset, length);
      const right = await digestsOf(sha256);
      if (right === undefined) return undefined;
      const end = Math.min(offset + length, right.size);
      if (end <= offset) return new Uint8Array(0);
      const begin = offset - (offset % BLOCK);
      const wanted = Math.min(blockEnd(end), right.size) - begin;
      const blocks = await blobs.read(sha256, begin, wanted);
      // A copy, so that the rest of the blocks can be garbage-collected.
      if (blocks?.length === wanted && areRight(blocks, begin, right))
        return Uint8Array.prototype.slice.call(blocks, offset - begin, end - begin);
      evict(sha256);
      if (blocks === undefined) return undefined;
      throw damaged(sha256);
    },

    async size(sha256: string): Promise<number | undefined> {
      const size = await blobs.size(sha256);
      const right = await digestsOf(sha256);
      if (size !== undefined && size === right?.size) return size;
      // The blob was removed, replaced or changed since.
      evict(sha256);
      return (await digestsOf(sha256))?.size;
    },

    /**
     * Passes the pieces to `store`, which resolves with their SHA-256, and caches their digests, so that blobs stored by
     * this process need not be read again.
     */
    async put(
      pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
      store: (pieces: AsyncIterable<Uint8Array>) => Promise<string>,
    ): Promise<string> {
      const building = createDigesting();
      async function* handedOn() {
        for await (const piece of pieces) {
          building.add(piece);
          yield piece;
        }
      }
      const sha256 = await store(handedOn());
      cached.set(sha256, building.end());
      return sha256;
    },

    forget: evict,
  };
}

function requireRange(...numbers: readonly number[]): void {
  for (const number of numbers)
    if (!Number.isSafeInteger(number) || number < 0)
      throw new RangeError(`${number} is not a valid offset or length`);
}
