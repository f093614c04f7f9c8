/**
 * Merkle tree of RFC 6962 (section 2.1) over records. Leaves and nodes are hashed with different prefixes, so that a
 * record cannot be presented as a node.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { isEqual } from './bytes.ts';

export const HASH_SIZE = 32;

const LEAF = 0;
const NODE = 1;

export function leafHash(record: Uint8Array): Uint8Array {
  return hashed(LEAF, record);
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hashed(NODE, left, right);
}

/** Hashes in one call, because an incremental hash object costs more than the hashing. */
function hashed(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 1));
  bytes[0] = prefix;
  let offset = 1;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return sha256(bytes);
}

/** Root over hashes of leaves, or of equal subtrees with a smaller one last. Without hashes, it is the hash of no bytes. */
export function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [first] = hashes;
  if (first === undefined) return sha256(new Uint8Array());
  if (hashes.length === 1) return first;
  const split = largestPowerOfTwoBelow(hashes.length);
  return nodeHash(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)));
}

/** Hashes from the one at `index` to the root, nearest first. Throws a RangeError for an index out of range. */
export function inclusionPath(hashes: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (!Number.isInteger(index) || index < 0 || index >= hashes.length)
    throw new RangeError(`leaf index ${index} is out of range (${hashes.length} leaves)`);
  if (hashes.length === 1) return [];
  const split = largestPowerOfTwoBelow(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return index < split
    ? [...inclusionPath(left, index), rootOf(right)]
    : [...inclusionPath(right, index - split), rootOf(left)];
}

/** Root to which the path leads (RFC 9162, section 2.1.3.2); undefined if the path has a wrong length. */
export function rootFromPath(
  leaf: Uint8Array,
  index: number,
  treeSize: number,
  path: readonly Uint8Array[],
): Uint8Array | undefined {
  if (!Number.isSafeInteger(treeSize) || !Number.isInteger(index) || index < 0 || index >= treeSize)
    return undefined;
  let position = index;
  let last = treeSize - 1;
  let hash = leaf;
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash);
      // A node that is last and on the left has no sibling at this level, so it is also the node of the next level.
      while (position % 2 === 0 && position !== 0) {
        position /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hash : undefined;
}

/** True if the proof shows that the second tree extends the first (RFC 9162, section 2.1.4.2). */
export function isConsistent(
  first: { readonly size: number; readonly root: Uint8Array },
  second: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && isEqual(first.root, second.root);
  if (first.size === 0) return proof.length === 0;
  const path = isPowerOfTwo(first.size) ? [first.root, ...proof] : proof;
  const [start, ...rest] = path;
  if (start === undefined) return false;
  let position = first.size - 1;
  let last = second.size - 1;
  while (position % 2 === 1) {
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  let firstRoot = start;
  let secondRoot = start;
  for (const hash of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      firstRoot = nodeHash(hash, firstRoot);
      secondRoot = nodeHash(hash, secondRoot);
      while (position % 2 === 0 && position !== 0) {
        position /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      secondRoot = nodeHash(secondRoot, hash);
    }
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && isEqual(firstRoot, first.root) && isEqual(secondRoot, second.root);
}

/** Largest power of two below `count`, which must be at least 2. */
export function largestPowerOfTwoBelow(count: number): number {
  const power = 2 ** Math.floor(Math.log2(count - 1));
  // The logarithm of a large number may be rounded up.
  return power < count ? power : power / 2;
}

export function isPowerOfTwo(count: number): boolean {
  return 2 ** Math.round(Math.log2(count)) === count;
}
