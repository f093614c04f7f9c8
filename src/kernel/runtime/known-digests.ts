/** Reads each blob whole once, compares it with its name, and keeps the digests of its blocks in memory. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { ContentDamaged } from '../ports/content-damaged.ts';
import { BLOCK, createDigesting, type Digests } from './block-digests.ts';

const KEPT_BYTES = 32 * 1024 * 1024;
/** What a blob takes whatever its size. */
const LEAST_BYTES = 256;
/** Read at once while a whole blob is compared: few enough milliseconds that nobody else waits. */
export const PIECE = 16 * BLOCK;
/** Many blobs may be asked for at once; each comparison takes the processor. */
const WHOLE_AT_ONCE = 2;

export interface UncheckedBlobs {
  /** Bytes from `offset` on, fewer at the end; undefined if there is no such blob. */
  read(sha256: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  size(sha256: string): Promise<number | undefined>;
  readonly content: ContentDamaged['what'];
  /** For the operator: where the blobs are. */
  readonly where: string;
}

export interface KnownDigests {
  /** Undefined if there is no such blob. Rejects with `ContentDamaged`. */
  of(sha256: string): Promise<Digests | undefined>;
  note(sha256: string, digests: Digests): void;
  forget(sha256: string): void;
}

export function createKnownDigests(blobs: UncheckedBlobs): KnownDigests {
  const known = new LRUCache<string, Digests>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ ofBlocks }) => LEAST_BYTES + ofBlocks.length,
  });
  const underWay = new Map<string, Promise<Digests | undefined>>();
  const inTurn = pLimit(WHOLE_AT_ONCE);

  async function compareWhole(sha256: string): Promise<Digests | undefined> {
    const found = await readWhole(blobs, sha256);
    if (found === undefined) return undefined;
    if (found.sha256 === sha256) {
      known.set(sha256, found.digests);
      return found.digests;
    }
    throw new ContentDamaged(blobs.content, sha256, blobs.where);
  }

  return {
    async of(sha256) {
      const found = known.get(sha256);
      if (found !== undefined) return found;
      const reading =
        underWay.get(sha256) ??
        inTurn(() => compareWhole(sha256)).finally(() => {
          underWay.delete(sha256);
        });
      underWay.set(sha256, reading);
      return reading;
    },
    note: (sha256, digests) => void known.set(sha256, digests),
    forget: (sha256) => void known.delete(sha256),
  };
}

async function readWhole(
  blobs: UncheckedBlobs,
  sha256: string,
): Promise<{ readonly sha256: string; readonly digests: Digests } | undefined> {
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
