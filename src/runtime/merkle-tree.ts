/**
 * The Merkle tree of RFC 6962 (section 2.1) over records. Leaves and nodes are hashed under different
 * prefixes, so that no record can be passed off as a node. The hashes of every 1,024 records are kept as one, so that a
 * proof reads 1,024 records and these, however many there are.
 */
import { hash } from 'node:crypto';

export const HASH_SIZE = 32;
/** A power of two: the tree over the hashes of whole groups is then the tree over their records. */
export const RECORDS_PER_GROUP = 1_024;

const LEAF = 0;
const NODE = 1;

export function leafHash(record: Uint8Array): Uint8Array {
  return hashed(LEAF, record);
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hashed(NODE, left, right);
}

/** In one call: a hash that is fed piece by piece is an object that costs more than the hashing. */
function hashed(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(parts.reduce((length, part) => length + part.length, 1));
  bytes[0] = prefix;
  let offset = 1;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return hash('sha256', bytes, 'buffer');
}

/** The root over hashes of leaves, or of equal subtrees with a smaller one last. The root over none is that of nothing. */
export function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [first] = hashes;
  if (first === undefined) return hash('sha256', '', 'buffer');
  if (hashes.length === 1) return first;
  const split = largestPowerOfTwoBelow(hashes.length);
  return nodeHash(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)));
}

/** The hashes that lead from the one at `index` to the root, the nearest first. Throws a RangeError outside. */
export function inclusionPath(hashes: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (!Number.isInteger(index) || index < 0 || index >= hashes.length)
    throw new RangeError(`there is no leaf ${index} among ${hashes.length}`);
  if (hashes.length === 1) return [];
  const split = largestPowerOfTwoBelow(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return index < split
    ? [...inclusionPath(left, index), rootOf(right)]
    : [...inclusionPath(right, index - split), rootOf(left)];
}

/** The root that the path leads to (RFC 9162, section 2.1.3.2); undefined if the path has the wrong length. */
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
      // A node that is last and on the left has no sibling at this level: it goes up as it is.
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

/** Takes records one by one and keeps a hash for every 1,024 of them. */
export interface TreeBuilder {
  add(record: Uint8Array): void;
  /** Of every group of 1,024 records and of the smaller one behind them. */
  groupHashes(): readonly Uint8Array[];
  root(): Uint8Array;
}

export function createTreeBuilder(): TreeBuilder {
  const groups: Uint8Array[] = [];
  let group: Uint8Array[] = [];
  const groupHashes = () => (group.length === 0 ? groups : [...groups, rootOf(group)]);
  return {
    add(record) {
      group.push(leafHash(record));
      if (group.length < RECORDS_PER_GROUP) return;
      groups.push(rootOf(group));
      group = [];
    },
    groupHashes,
    root: () => rootOf(groupHashes()),
  };
}

/** The path of one record, from the records of its group and the hashes of all groups. */
export function pathThroughGroups(
  index: number,
  recordsOfGroup: readonly Uint8Array[],
  groupHashes: readonly Uint8Array[],
): readonly Uint8Array[] {
  return [
    ...inclusionPath(recordsOfGroup.map(leafHash), index % RECORDS_PER_GROUP),
    ...inclusionPath(groupHashes, Math.floor(index / RECORDS_PER_GROUP)),
  ];
}

function largestPowerOfTwoBelow(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1));
}
