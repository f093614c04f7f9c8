/**
 * The allotment of a run as a file: what everybody gets, before anything is paid. Anybody can recompute it and prove
 * single records against its root.
 *
 *     4 bytes      the length of the header, little-endian
 *     header       JSON in UTF-8: what the run divided, and the sums of all columns
 *     82 bytes     a record, and so on, in the order of their bytes
 *     32 bytes     the hash of every 1,024 leaves, and of the rest
 *
 * The leaves of the Merkle tree are the header and the records; the file is known by the SHA-256 of all its bytes.
 */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { Address, Amount, Uuid } from '../../streams/values.ts';
import {
  createTreeBuilder,
  HASH_SIZE,
  pathThroughGroups,
  RECORDS_PER_GROUP,
  type TreeBuilder,
} from './merkle-tree.ts';
import { compareRecords, decodeRecord, type LedgerRecord, ownerOf, RECORD_SIZE } from './record.ts';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });

export const AllotmentHeader = Type.Object({
  format: Type.Literal('levy-allotment-1'),
  runId: Uuid,
  tokenId: Uuid,
  mint: Address,
  /** The first and the last slot that the scan read. */
  slots: Type.Tuple([Amount, Amount]),
  records: Type.Integer({ minimum: 0 }),
  /** The root of the token's run before; null for its first. */
  previousRoot: Type.Union([Hash, Type.Null()]),
  /** What was divided among the holders: their part of the proceeds and earlier dust. */
  divided: Amount,
  sumOfWeights: Amount,
  sums: Type.Object({
    balance: Amount,
    basis: Amount,
    share: Amount,
    owedBefore: Amount,
    planned: Amount,
    paidBefore: Amount,
  }),
});

export type AllotmentHeader = Static<typeof AllotmentHeader>;

const headerCheck = TypeCompiler.Compile(AllotmentHeader);
const LENGTH_SIZE = 4;
/** Far more than a header takes; what claims more is no allotment. */
const LONGEST_HEADER = 16_384;

export interface AllotmentWriter {
  /** The bytes of the next records, which must come in order; throws a RangeError otherwise. */
  add(records: readonly Uint8Array[]): Uint8Array;
  /** The bytes that end the file. Throws a RangeError unless exactly the announced records were added. */
  end(): Uint8Array;
  /** 64 hex digits; known at the end. */
  root(): string;
}

/** Writes piece by piece: the whole file is never in memory. `begin` is its first piece. */
export function createAllotmentWriter(
  header: AllotmentHeader,
): AllotmentWriter & { readonly begin: Uint8Array } {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_SIZE);
  length.writeUInt32LE(text.length);
  const tree: TreeBuilder = createTreeBuilder();
  tree.add(text);
  let last: Uint8Array | undefined;
  let count = 0;
  return {
    begin: Buffer.concat([length, text]),
    add(records) {
      for (const record of records) {
        if (record.length !== RECORD_SIZE || (last !== undefined && compareRecords(last, record) >= 0))
          throw new RangeError('records come in the order of their owners and kinds, each once');
        tree.add(record);
        last = record;
      }
      count += records.length;
      return Buffer.concat(records);
    },
    end() {
      if (count !== header.records)
        throw new RangeError(`${header.records} records were announced, and ${count} were written`);
      return Buffer.concat(tree.groupHashes());
    },
    root: () => Buffer.from(tree.root()).toString('hex'),
  };
}

/** Bytes of a file from `offset` on; fewer than asked for at its end. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

export interface ProvedRecord {
  /** Among the records, from 0; as a leaf it is one further, behind the header. */
  readonly index: number;
  readonly record: LedgerRecord;
  readonly bytes: Uint8Array;
}

export interface RecordProof {
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly path: readonly Uint8Array[];
}

export interface AllotmentReader {
  readonly header: AllotmentHeader;
  /** Records from `index` on, at most `count`. */
  records(index: number, count: number): Promise<readonly ProvedRecord[]>;
  /** All records of an owner, and where they would stand if there are none. */
  find(owner: Uint8Array): Promise<{ readonly found: readonly ProvedRecord[]; readonly place: number }>;
  prove(index: number): Promise<RecordProof>;
}

export class NoAllotment extends Error {
  override readonly name = 'NoAllotment';
}

/** Throws `NoAllotment` for a file that is none, or is cut off. */
export async function openAllotment(read: ReadRange): Promise<AllotmentReader> {
  const length = Buffer.from(await readFully(read, 0, LENGTH_SIZE)).readUInt32LE();
  if (length > LONGEST_HEADER) throw new NoAllotment('the file does not begin as an allotment');
  const headerBytes = await readFully(read, LENGTH_SIZE, length);
  const header = parseHeader(headerBytes);
  const recordsAt = LENGTH_SIZE + length;
  const treeSize = header.records + 1;
  const groupsAt = recordsAt + header.records * RECORD_SIZE;

  const records = async (index: number, count: number): Promise<readonly ProvedRecord[]> => {
    const wanted = Math.max(0, Math.min(count, header.records - index));
    const bytes = await readFully(read, recordsAt + index * RECORD_SIZE, wanted * RECORD_SIZE);
    return Array.from({ length: wanted }, (_, number) => {
      const own = bytes.subarray(number * RECORD_SIZE, (number + 1) * RECORD_SIZE);
      return { index: index + number, record: decodeRecord(own), bytes: own };
    });
  };

  /** The first record whose owner is not before the given one. */
  const placeOf = async (owner: Uint8Array): Promise<number> => {
    let [low, high] = [0, header.records];
    while (low < high) {
      const middle = (low + high) >> 1;
      const record = await readFully(read, recordsAt + middle * RECORD_SIZE, RECORD_SIZE);
      if (Buffer.compare(ownerOf(record), owner) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    header,
    records,
    async find(owner) {
      const place = await placeOf(owner);
      // One owner stands in as many capacities as there are kinds.
      const near = await records(place, 4);
      return { found: near.filter(({ bytes }) => Buffer.compare(ownerOf(bytes), owner) === 0), place };
    },
    async prove(index) {
      if (!Number.isInteger(index) || index < 0 || index >= header.records)
        throw new RangeError(`there is no record ${index} among ${header.records}`);
      const leafIndex = index + 1;
      const groups = Math.ceil(treeSize / RECORDS_PER_GROUP);
      const hashes = await readFully(read, groupsAt, groups * HASH_SIZE);
      const firstLeaf = leafIndex - (leafIndex % RECORDS_PER_GROUP);
      const leaves = Math.min(RECORDS_PER_GROUP, treeSize - firstLeaf);
      const group = await records(Math.max(0, firstLeaf - 1), leaves - (firstLeaf === 0 ? 1 : 0));
      const own = group.map(({ bytes }) => bytes);
      const path = pathThroughGroups(
        leafIndex,
        firstLeaf === 0 ? [headerBytes, ...own] : own,
        Array.from({ length: groups }, (_, number) =>
          hashes.subarray(number * HASH_SIZE, (number + 1) * HASH_SIZE),
        ),
      );
      return { leafIndex, treeSize, path };
    },
  };
}

function parseHeader(bytes: Uint8Array): AllotmentHeader {
  let header: unknown;
  try {
    header = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new NoAllotment('the header of the allotment is not JSON');
  }
  if (!headerCheck.Check(header)) throw new NoAllotment('the header is not that of an allotment');
  return header;
}

async function readFully(read: ReadRange, offset: number, length: number): Promise<Uint8Array> {
  const bytes = await read(offset, length);
  if (bytes.length !== length) throw new NoAllotment('the allotment is cut off');
  return bytes;
}
