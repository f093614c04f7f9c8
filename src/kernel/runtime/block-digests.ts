/** Digests of a blob's blocks, with which any range of whole blocks can be compared. */
import { createHash, hash } from 'node:crypto';

/** So small that a record in the midst costs little, and so large that the digests of 16 GiB fit into 32 MiB. */
export const BLOCK = 16 * 1024;
const DIGEST = 32;

export interface Digests {
  readonly size: number;
  readonly ofBlocks: Buffer;
}

/** Takes pieces of any size. */
export function createDigesting(): { add(piece: Uint8Array): void; end(): Digests } {
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

export function blockEnd(end: number): number {
  return Math.ceil(end / BLOCK) * BLOCK;
}

/** `begin` is that of a block. */
export function areRight(bytes: Uint8Array, begin: number, { ofBlocks }: Digests): boolean {
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const first = ((begin + at) / BLOCK) * DIGEST;
    const found = hash('sha256', bytes.subarray(at, at + BLOCK), 'buffer');
    if (!found.equals(ofBlocks.subarray(first, first + DIGEST))) return false;
  }
  return true;
}
