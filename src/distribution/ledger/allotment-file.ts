/**
 * Allotment file of a run: the amount of every owner, written before anything is paid. Anybody can recompute it and prove single
 * records against its root.
 *
 *     4 bytes      length of the header, little-endian
 *     header       JSON in UTF-8: terms of the division, and the sums of all columns
 *     82 bytes     per record, sorted by owner and kind
 *     72 bytes     per 1,024 leaves, and for the rest: hash, owner of the first record, payments before it
 *
 * The leaves of the Merkle tree are the header and the records; the file is identified by the SHA-256 of its bytes.
 * Public description: `docs/reference/ledger-files.md`.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { HASH_SIZE, inclusionPath, leafHash, rootOf } from 'levy-transparency-log';
import { Uuid } from '../../kernel/runtime/ids.ts';
import { RewardAsset as RewardAssetSchema, Sha256 } from '../../streams/distribution.ts';
import { DistributionModel } from '../../streams/distribution-settings.ts';
import { ScanSums } from '../../streams/scan-sums.ts';
import { Address, Amount, U128 } from '../../streams/value-types.ts';
import {
  AMOUNTS,
  AMOUNTS_AT,
  assetOf,
  compareRecords,
  createRecordSums,
  decodeRecord,
  KIND_AT,
  OWNER_SIZE,
  ownerOf,
  PaymentsByAsset,
  RECORD_SIZE,
  SumsByKind,
} from './ledger-record.ts';
import { headerChunk, type ReadRange, readFully, readHeader } from './read-range.ts';

export const AllotmentHeader = Type.Object({
  format: Type.Literal('levy-allotment-1'),
  runId: Uuid,
  tokenId: Uuid,
  mint: Address,
  /** Asset of the run; debts are paid in the other asset. */
  asset: RewardAssetSchema,
  /** First and last slot of the scan. */
  slots: Type.Tuple([Amount, Amount]),
  /** Earliest slot at which payees' accounts were read. */
  payeesSeenSince: Amount,
  scan: ScanSums,
  records: Type.Integer({ minimum: 0 }),
  /** Root of the token's previous run; null for the first. */
  previousRoot: Type.Union([Sha256, Type.Null()]),
  model: DistributionModel,
  minimumHolding: Amount,
  leastShare: Amount,
  minimumPayout: Amount,
  /** Amount divided among the holders: their part of the proceeds and earlier dust. */
  divided: Amount,
  sumOfWeights: U128,
  payments: PaymentsByAsset,
  sums: SumsByKind,
});

export type AllotmentHeader = Static<typeof AllotmentHeader>;

const headerCheck = TypeCompiler.Compile(AllotmentHeader);
/** Maximum length of a header in bytes, far above any real one. */
const MAX_HEADER = 16_384;
const WHAT = 'allotment';

/** Bytes per 1,024 leaves: their hash, the owner of their first record, and the payments of each asset before it. */
const GROUP_SIZE = HASH_SIZE + OWNER_SIZE + 8;
const PLANNED_AT = AMOUNTS_AT + 8 * AMOUNTS.indexOf('planned');
/** Maximum number of capacities of one owner. */
const MAX_OF_AN_OWNER = 4;

/** Writes the file in pieces, so that it is never in memory as a whole. */
export function createAllotmentWriter(header: AllotmentHeader) {
  const { piece, text } = headerChunk(header);
  const tree = createTreeBuilder();
  const sums = createRecordSums(header.asset);
  const paid = { sol: 0, token: 0 };
  const groups: Uint8Array[] = [];
  let last: Uint8Array | undefined;
  let count = 0;
  tree.add(text);

  function startGroup(first: Uint8Array | undefined): void {
    const group = Buffer.alloc(GROUP_SIZE);
    if (first !== undefined) group.set(ownerOf(first), HASH_SIZE);
    group.writeUInt32LE(paid.sol, HASH_SIZE + OWNER_SIZE);
    group.writeUInt32LE(paid.token, HASH_SIZE + OWNER_SIZE + 4);
    groups.push(group);
  }

  return {
    /** The first piece of the file. */
    begin: piece,
    /** Adds the next records, and returns their bytes in the file. Throws a RangeError if they are out of order. */
    add(records: Uint8Array) {
      if (records.length % RECORD_SIZE !== 0)
        throw new RangeError(`the length must be a multiple of ${RECORD_SIZE} bytes, the size of a record`);
      for (let at = 0; at < records.length; at += RECORD_SIZE) {
        const record = records.subarray(at, at + RECORD_SIZE);
        if (last !== undefined && compareRecords(last, record) >= 0)
          throw new RangeError('records must be sorted by owner and kind, without duplicates');
        // The header is the first leaf of the first group.
        if (count === 0 || (count + 1) % RECORDS_PER_GROUP === 0) startGroup(record);
        tree.add(record);
        if (isPayment(record)) paid[assetOf(record[KIND_AT] ?? 0, header.asset)] += 1;
        last = record;
        count += 1;
      }
      sums.add(records);
      // Copy, because the caller may reuse the buffer.
      last = last && Uint8Array.from(last);
      return records;
    },
    /** Returns the last bytes of the file. Throws a RangeError if the header does not match the records. */
    end() {
      if (count !== header.records)
        throw new RangeError(`the header announces ${header.records} records, but ${count} were written`);
      if (!isDeepStrictEqual([sums.sums(), sums.payments()], [header.sums, header.payments]))
        throw new RangeError('the sums in the header do not match the records');
      if (groups.length === 0) startGroup(undefined);
      for (const [index, hash] of tree.groupHashes().entries()) groups[index]?.set(hash);
      return Buffer.concat(groups);
    },
    /** 64 hex digits; final after the last record. */
    root: () => Buffer.from(tree.root()).toString('hex'),
  };
}

/** True if the run pays the record: `planned` is not 0. */
export function isPayment(record: Uint8Array): boolean {
  for (let at = PLANNED_AT; at < PLANNED_AT + 8; at++) if (record[at] !== 0) return true;
  return false;
}

export type ProvedRecord = ReturnType<typeof provedRecords>[number];
export type LeafProof = Awaited<ReturnType<AllotmentReader['prove']>>;
export type AllotmentReader = Awaited<ReturnType<typeof openAllotment>>;

/** Holds 72 bytes in memory per 1,024 records. Throws `LedgerInvalid` if the file is truncated or not an allotment. */
export async function openAllotment(read: ReadRange) {
  const { header, text, end: recordsAt } = await readHeader(read, WHAT, MAX_HEADER, headerCheck);
  const { records: size, asset } = header;
  const treeSize = size + 1;
  const groupCount = Math.ceil(treeSize / RECORDS_PER_GROUP);
  const groups = await readFully(read, WHAT, recordsAt + size * RECORD_SIZE, groupCount * GROUP_SIZE);
  const groupHashes = Array.from({ length: groupCount }, (_, group) =>
    groups.subarray(group * GROUP_SIZE, group * GROUP_SIZE + HASH_SIZE),
  );
  const firstOwner = (group: number) =>
    groups.subarray(group * GROUP_SIZE + HASH_SIZE, group * GROUP_SIZE + HASH_SIZE + OWNER_SIZE);
  /** Index of a group's first record; the header is the first leaf of group 0. */
  const firstRecord = (group: number) => Math.max(0, group * RECORDS_PER_GROUP - 1);

  const bytes = async (index: number, count: number): Promise<Buffer> => {
    const wanted = Math.max(0, Math.min(count, size - index));
    return readFully(read, WHAT, recordsAt + index * RECORD_SIZE, wanted * RECORD_SIZE);
  };

  const records = async (index: number, count: number) => provedRecords(await bytes(index, count), index);

  /** The last group whose first record precedes the owner; the owner's position is in it or directly after it. */
  function groupOf(owner: Uint8Array): number {
    let [low, high] = [0, groupCount - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (Buffer.compare(firstOwner(middle), owner) < 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  return {
    header,
    /** Approximate memory of this reader, in bytes. */
    weight: groups.length + text.length,
    /** Up to `count` encoded records from `index` on. */
    bytes,
    /** Up to `count` decoded records from `index` on. */
    records,
    /** All records of an owner, and the index at which they are or would be. */
    async find(owner: Uint8Array) {
      const first = firstRecord(groupOf(owner));
      const near = await bytes(first, RECORDS_PER_GROUP + MAX_OF_AN_OWNER);
      let [low, high] = [0, near.length / RECORD_SIZE];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (Buffer.compare(ownerOf(near.subarray(middle * RECORD_SIZE)), owner) < 0) low = middle + 1;
        else high = middle;
      }
      const candidates = near.subarray(low * RECORD_SIZE, (low + MAX_OF_AN_OWNER) * RECORD_SIZE);
      return {
        found: provedRecords(candidates, first + low).filter(
          (each) => Buffer.compare(ownerOf(each.bytes), owner) === 0,
        ),
        place: first + low,
      };
    },
    /** Number of payments per asset before the record. */
    async paymentsBefore(index: number) {
      if (!Number.isInteger(index) || index < 0 || index > size)
        throw new RangeError(`record index ${index} is out of range (${size} records)`);
      const group = Math.min(groupCount - 1, Math.floor((index + 1) / RECORDS_PER_GROUP));
      const countsAt = group * GROUP_SIZE + HASH_SIZE + OWNER_SIZE;
      const before = { sol: groups.readUInt32LE(countsAt), token: groups.readUInt32LE(countsAt + 4) };
      const first = firstRecord(group);
      const own = await bytes(first, index - first);
      for (let at = 0; at < own.length; at += RECORD_SIZE)
        if (isPayment(own.subarray(at, at + RECORD_SIZE)))
          before[assetOf(own[at + KIND_AT] ?? 0, asset)] += 1;
      return before;
    },
    /** Proof of a leaf; leaf 0 is the header. Throws a RangeError if the index is out of range. */
    async prove(leafIndex: number) {
      if (!Number.isInteger(leafIndex) || leafIndex < 0 || leafIndex >= treeSize)
        throw new RangeError(`leaf index ${leafIndex} is out of range (${treeSize} leaves)`);
      const group = Math.floor(leafIndex / RECORDS_PER_GROUP);
      const end = Math.min(treeSize, (group + 1) * RECORDS_PER_GROUP) - 1;
      const own = await bytes(firstRecord(group), end - firstRecord(group));
      const leaves: Uint8Array[] = group === 0 ? [text] : [];
      for (let at = 0; at < own.length; at += RECORD_SIZE) leaves.push(own.subarray(at, at + RECORD_SIZE));
      return {
        leafIndex,
        treeSize,
        /** The header's JSON, or a record. */
        bytes: leaves[leafIndex % RECORDS_PER_GROUP] ?? text,
        path: pathThroughGroups(leafIndex, leaves, groupHashes),
      };
    },
    /** 64 hex digits, computed from the hashes of all groups. */
    root: () => Buffer.from(rootOf(groupHashes)).toString('hex'),
  };
}

/** `index`: record number from 0; its leaf number is one higher, because the header is leaf 0. */
function provedRecords(bytes: Uint8Array, first: number) {
  return Array.from({ length: bytes.length / RECORD_SIZE }, (_, number) => {
    const own = bytes.subarray(number * RECORD_SIZE, (number + 1) * RECORD_SIZE);
    return { index: first + number, record: decodeRecord(own), bytes: own };
  });
}

/** A power of two, so that the tree over the hashes of whole groups equals the tree over their records. */
const RECORDS_PER_GROUP = 1_024;

/** Merkle tree over a ledger's records. Stores one hash per 1,024 records, so that a proof reads one group and these hashes. */
function createTreeBuilder() {
  const groups: Uint8Array[] = [];
  let group: Uint8Array[] = [];
  const groupHashes = () => (group.length === 0 ? groups : [...groups, rootOf(group)]);
  return {
    add(record: Uint8Array) {
      group.push(leafHash(record));
      if (group.length < RECORDS_PER_GROUP) return;
      groups.push(rootOf(group));
      group = [];
    },
    /** Hashes of all groups of 1,024 records, and of the last, smaller one. */
    groupHashes,
    root: () => rootOf(groupHashes()),
  };
}

/** Merkle path of one record, from the records of its group and the hashes of all groups. */
function pathThroughGroups(
  index: number,
  recordsOfGroup: readonly Uint8Array[],
  groupHashes: readonly Uint8Array[],
): readonly Uint8Array[] {
  return [
    ...inclusionPath(recordsOfGroup.map(leafHash), index % RECORDS_PER_GROUP),
    ...inclusionPath(groupHashes, Math.floor(index / RECORDS_PER_GROUP)),
  ];
}
