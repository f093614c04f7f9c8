/**
 * The Merkle tree over a ledger's records. The hashes of every 1,024 records are kept as one, so that a proof reads 1,024
 * records and these, however many there are.
 */
import { inclusionPath, leafHash, rootOf } from 'levy-transparency-log';

/** A power of two: the tree over the hashes of whole groups is then the tree over their records. */
export const RECORDS_PER_GROUP = 1_024;

/** Takes records one by one and keeps a hash for every 1,024 of them. */
export interface TreeBuilder {
  add(record: Uint8Array): void;
  /** Hashes of all groups of 1,024 records, and of the smaller one behind them. */
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
