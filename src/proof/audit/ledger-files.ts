/**
 * Reads the two files of a run as docs/reference/ledger-files.md describes them to outsiders. Shares no code with the engine
 * that writes them: what both took from one place, both would have wrong.
 */
import { hash } from 'node:crypto';
import { addressOf, base58 } from 'levy-solana-wire';
import type { Asset, BookedRecord, RecordList } from './booked-record.ts';

export class LedgerFileInvalid extends Error {
  override readonly name = 'LedgerFileInvalid';
}

/** A record with all that its file says. */
export interface LedgerRecord extends BookedRecord {
  /** Its owner's 32 bytes, as latin1: their order is that of the records. */
  readonly ownerKey: string;
  readonly reason: number;
  readonly balance: bigint;
  readonly basis: bigint;
}

export interface LedgerRecords extends RecordList, Iterable<LedgerRecord> {
  at(index: number): LedgerRecord | undefined;
  [Symbol.iterator](): Iterator<LedgerRecord>;
}

/** What the header says: nothing of it is believed. */
export type AllotmentHeader = { readonly [name: string]: unknown };

export interface AllotmentOfRun {
  readonly asset: Asset;
  /** The root of the Merkle tree over the header and all records; 64 hex digits. */
  readonly root: string;
  readonly header: AllotmentHeader;
  readonly records: LedgerRecords;
}

/** Payments are numbered by asset from 0, in the order of the records. */
export interface SettledStretch {
  readonly asset: Asset;
  readonly pot: string;
  readonly from: number;
  /** Behind the last. */
  readonly to: number;
  /** Numbers that lie between the two and were not paid. */
  readonly without: readonly number[];
  readonly signature: string;
}

/** What a settlement says was paid, and what it leaves. */
export interface SettlementOfRun {
  readonly stretches: readonly SettledStretch[];
  readonly owedAfter: { readonly [asset in Asset]: bigint };
  readonly dustAfter: { readonly [asset in Asset]: bigint };
  /** The last till. */
  readonly till: string;
}

const RECORD_SIZE = 82;
const KINDS = ['costs', 'developer', 'holder', 'debt'] as const;
const [KIND_AT, REASON_AT, BALANCE_AT, BASIS_AT] = [32, 33, 34, 42];
const [SHARE_AT, OWED_AT, PLANNED_AT, PAID_AT] = [50, 58, 66, 74];
const BATCH_SIZE = 90;
const REFUSAL_SIZE = 5;

/** Throws `LedgerFileInvalid` for bytes that are not the file of this name, or no allotment. */
export function readAllotment(sha256: string, bytes: Uint8Array | undefined): AllotmentOfRun {
  const { header, text, rest } = openFile(sha256, bytes);
  const { asset, records: count } = header;
  if ((asset !== 'sol' && asset !== 'token') || typeof count !== 'number')
    throw new LedgerFileInvalid(`the file ${sha256} is no allotment`);
  const tree = createTree();
  tree.add(text);
  let before: Buffer | undefined;
  for (let index = 0; index < count; index += 1) {
    const record = rest.subarray(index * RECORD_SIZE, (index + 1) * RECORD_SIZE);
    if (record.length < RECORD_SIZE || KINDS[record[KIND_AT] ?? -1] === undefined)
      throw new LedgerFileInvalid(`the record ${index} of the allotment ${sha256} is cut off or unknown`);
    // Sorted by owner and kind, each once: nobody stands twice in one capacity.
    if (before !== undefined && before.compare(record, 0, REASON_AT, 0, REASON_AT) >= 0)
      throw new LedgerFileInvalid(
        `the record ${index} of the allotment ${sha256} is doubled or out of order`,
      );
    tree.add(record);
    before = record;
  }
  return { asset, root: tree.root().toString('hex'), header, records: recordsIn(rest, count) };
}

/** Each record is read when it is asked for: what is kept of a ledger are its bytes. */
export function recordsIn(bytes: Buffer, length: number): LedgerRecords {
  const recordAt = (index: number) =>
    new RecordInFile(bytes.subarray(index * RECORD_SIZE, (index + 1) * RECORD_SIZE));
  return {
    length,
    at: (index) => (index >= 0 && index < length ? recordAt(index) : undefined),
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index += 1) yield recordAt(index);
    },
  };
}

class RecordInFile implements LedgerRecord {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get kind() {
    return KINDS[this.#bytes[KIND_AT] ?? 0] ?? 'debt';
  }
  get owner() {
    return addressOf(this.#bytes.subarray(0, KIND_AT));
  }
  get ownerKey() {
    return this.#bytes.toString('latin1', 0, KIND_AT);
  }
  get reason() {
    return this.#bytes[REASON_AT] ?? 0;
  }
  get balance() {
    return this.#bytes.readBigUInt64LE(BALANCE_AT);
  }
  get basis() {
    return this.#bytes.readBigUInt64LE(BASIS_AT);
  }
  get share() {
    return this.#bytes.readBigUInt64LE(SHARE_AT);
  }
  get owedBefore() {
    return this.#bytes.readBigUInt64LE(OWED_AT);
  }
  get planned() {
    return this.#bytes.readBigUInt64LE(PLANNED_AT);
  }
  get paidBefore() {
    return this.#bytes.readBigUInt64LE(PAID_AT);
  }
}

/** Throws `LedgerFileInvalid` for bytes that are not the file of this name, or no settlement. */
export function readSettlement(sha256: string, bytes: Uint8Array | undefined): SettlementOfRun {
  const { header, rest } = openFile(sha256, bytes);
  const pots = listOf(header.pots).map(({ asset, address }) => ({ asset, address: String(address) }));
  const counted = (asset: Asset, name: 'batches' | 'refused'): number => {
    const count = membersOf(header[asset])[name];
    return typeof count === 'number' && count >= 0 ? count : Number.NaN;
  };
  const batches = counted('sol', 'batches') + counted('token', 'batches');
  let at = batches * BATCH_SIZE;
  const said = at + (counted('sol', 'refused') + counted('token', 'refused')) * REFUSAL_SIZE;
  if (said !== rest.length)
    throw new LedgerFileInvalid(`the settlement ${sha256} has ${rest.length} bytes where ${said} are said`);
  const refused = { sol: [] as number[], token: [] as number[] };
  for (const asset of ['sol', 'token'] as const)
    for (let index = 0; index < counted(asset, 'refused'); index += 1, at += REFUSAL_SIZE)
      refused[asset].push(rest.readUInt32LE(at));
  const stretches = Array.from({ length: batches }, (_, index): SettledStretch => {
    const batch = rest.subarray(index * BATCH_SIZE, (index + 1) * BATCH_SIZE);
    const pot = pots[batch.readUInt16LE(0)];
    if (pot?.asset !== 'sol' && pot?.asset !== 'token')
      throw new LedgerFileInvalid(`a transaction of the settlement ${sha256} is of no pot`);
    const [from, to] = [batch.readUInt32LE(2), batch.readUInt32LE(6)];
    return {
      asset: pot.asset,
      pot: pot.address,
      from,
      to,
      without: refused[pot.asset].filter((number) => number >= from && number < to),
      signature: base58(batch.subarray(10, 74)),
    };
  });
  return {
    stretches,
    owedAfter: amountsIn(sha256, header.owedAfter),
    dustAfter: amountsIn(sha256, header.dustAfter),
    till: String(membersOf(header.tillAfter).address),
  };
}

function amountsIn(sha256: string, value: unknown): { readonly [asset in Asset]: bigint } {
  const [sol, token] = ['sol', 'token'].map((asset) => {
    const digits = String(membersOf(value)[asset]);
    if (!/^\d+$/.test(digits))
      throw new LedgerFileInvalid(`the settlement ${sha256} does not say what it leaves`);
    return BigInt(digits);
  }) as [bigint, bigint];
  return { sol, token };
}

interface OpenedFile {
  readonly header: { readonly [name: string]: unknown };
  readonly text: Uint8Array;
  readonly rest: Buffer;
}

function openFile(sha256: string, bytes: Uint8Array | undefined): OpenedFile {
  if (bytes === undefined) throw new LedgerFileInvalid(`the file ${sha256} is missing`);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found = hash('sha256', file, 'hex');
  if (found !== sha256) throw new LedgerFileInvalid(`the file ${sha256} has the SHA-256 ${found}`);
  const end = file.length < 4 ? 0 : 4 + file.readUInt32LE();
  const text = file.subarray(4, end);
  return { header: headerIn(sha256, text), text, rest: file.subarray(end) };
}

function headerIn(sha256: string, text: Buffer): OpenedFile['header'] {
  try {
    return membersOf(JSON.parse(text.toString()));
  } catch {
    throw new LedgerFileInvalid(`the header of the file ${sha256} is no JSON`);
  }
}

/** Empty for a value that is no object. */
function membersOf(value: unknown): { readonly [name: string]: unknown } {
  return Object(value) as { readonly [name: string]: unknown };
}

function listOf(value: unknown): readonly { readonly [name: string]: unknown }[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

/**
 * The tree of RFC 6962 over leaves that come one by one: of what came so far, the roots of its full parts are kept, the
 * largest first. A left part is always the largest power of two that is smaller than the whole.
 */
function createTree() {
  const parts: Buffer[] = [];
  let count = 0;
  const join = () => {
    const [right, left] = [parts.pop(), parts.pop()];
    if (left !== undefined && right !== undefined) parts.push(hashOf(1, left, right));
  };
  return {
    add(leaf: Uint8Array): void {
      parts.push(hashOf(0, leaf));
      count += 1;
      for (let rest = count; rest % 2 === 0; rest /= 2) join();
    },
    root(): Buffer {
      while (parts.length > 1) join();
      return parts[0] ?? Buffer.alloc(0);
    },
  };
}

function hashOf(prefix: number, ...parts: readonly Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat([Uint8Array.of(prefix), ...parts]), 'buffer');
}
