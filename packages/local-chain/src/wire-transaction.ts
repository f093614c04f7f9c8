/**
 * Transactions as they travel: legacy, version 0 and version 1. LiteSVM aborts the process on bytes that are not
 * whole, so this accepts only what a serializer would have written, byte for byte, and what a cluster would sanitize.
 */
import { base58, keyOf } from './bytes.ts';

export interface WireInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

export interface AddressTableLookup {
  readonly table: Uint8Array;
  readonly writableIndexes: Uint8Array;
  readonly readonlyIndexes: Uint8Array;
}

/** Version 1 carries its compute budget itself; null where the message leaves a value open. */
export interface TransactionConfig {
  readonly priorityFee: bigint | null;
  readonly computeUnitLimit: number | null;
  readonly loadedAccountsDataSizeLimit: number | null;
  readonly heapSize: number | null;
}

export interface WireMessage {
  readonly version: 'legacy' | 0 | 1;
  readonly bytes: Uint8Array;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  readonly staticKeys: readonly Uint8Array[];
  readonly recentBlockhash: Uint8Array;
  readonly instructions: readonly WireInstruction[];
  readonly lookups: readonly AddressTableLookup[];
  readonly config: TransactionConfig | undefined;
}

export interface WireTransaction {
  readonly bytes: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  readonly message: WireMessage;
}

/** The bytes are no transaction. */
export class MalformedTransaction extends Error {}

/** The bytes are a transaction that no cluster would execute, such as an index out of range. */
export class UnsanitaryTransaction extends Error {}

/** Bytes of a packet; the limit of legacy and version 0 transactions. */
export const PACKET_SIZE = 1_232;
/** Bytes; the limit of version 1 transactions (SIMD-0385). */
export const VERSION_1_SIZE = 4_096;

const VERSION_FLAG = 0x80;
const SIGNATURE_SIZE = 64;
const KEY_SIZE = 32;
const MAXIMUM_ACCOUNTS = 256;
/** SIMD-0385's limits of version 1. */
const VERSION_1_LIMITS = { signatures: 12, accounts: 64, instructions: 64 };

export function isVersion1(bytes: Uint8Array): boolean {
  return bytes[0] === (VERSION_FLAG | 1);
}

/** @throws MalformedTransaction, UnsanitaryTransaction */
export function decodeTransaction(bytes: Uint8Array): WireTransaction {
  const transaction = isVersion1(bytes) ? messageFirst(bytes) : signaturesFirst(bytes);
  sanitize(transaction);
  return transaction;
}

/** @throws MalformedTransaction, UnsanitaryTransaction */
export function decodeMessage(bytes: Uint8Array): WireMessage {
  const message = parseMessage(bytes);
  sanitizeMessage(message);
  return message;
}

function signaturesFirst(bytes: Uint8Array): WireTransaction {
  const reader = new Reader(bytes);
  const signatures = reader.list(() => reader.take(SIGNATURE_SIZE));
  return { bytes, signatures, message: parseMessage(reader.rest()) };
}

function messageFirst(bytes: Uint8Array): WireTransaction {
  const count = bytes[1] ?? 0;
  const split = bytes.length - count * SIGNATURE_SIZE;
  if (split <= 0) throw new MalformedTransaction('signatures are missing');
  const message = parseMessage(bytes.subarray(0, split));
  const reader = new Reader(bytes.subarray(split));
  const signatures = Array.from({ length: count }, () => reader.take(SIGNATURE_SIZE));
  return { bytes, signatures, message };
}

function parseMessage(bytes: Uint8Array): WireMessage {
  const reader = new Reader(bytes);
  const first = reader.byte();
  if ((first & VERSION_FLAG) === 0) return compactMessage(reader, 'legacy', first);
  if (first === VERSION_FLAG) return compactMessage(reader, 0, reader.byte());
  if (first === (VERSION_FLAG | 1)) return version1Message(reader);
  throw new MalformedTransaction(`message version ${first & ~VERSION_FLAG} is unknown`);
}

function compactMessage(reader: Reader, version: 'legacy' | 0, requiredSignatures: number): WireMessage {
  const readonlySigned = reader.byte();
  const readonlyUnsigned = reader.byte();
  const staticKeys = reader.list(() => reader.take(KEY_SIZE));
  const recentBlockhash = reader.take(KEY_SIZE);
  const instructions = reader.list(() => ({
    programIdIndex: reader.byte(),
    accounts: reader.take(reader.length()),
    data: reader.take(reader.length()),
  }));
  const lookups =
    version === 'legacy'
      ? []
      : reader.list(() => ({
          table: reader.take(KEY_SIZE),
          writableIndexes: reader.take(reader.length()),
          readonlyIndexes: reader.take(reader.length()),
        }));
  reader.end();
  return {
    version,
    bytes: reader.bytes,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticKeys,
    recentBlockhash,
    instructions,
    lookups,
    config: undefined,
  };
}

function version1Message(reader: Reader): WireMessage {
  const requiredSignatures = reader.byte();
  const readonlySigned = reader.byte();
  const readonlyUnsigned = reader.byte();
  const mask = reader.u32();
  if ((mask & ~0x1f) !== 0 || (mask & 3) === 1 || (mask & 3) === 2) {
    throw new MalformedTransaction('the configuration mask is unknown');
  }
  const recentBlockhash = reader.take(KEY_SIZE);
  const instructionCount = reader.byte();
  const keyCount = reader.byte();
  const staticKeys = Array.from({ length: keyCount }, () => reader.take(KEY_SIZE));
  const config = {
    priorityFee: (mask & 3) === 0 ? null : reader.u64(),
    computeUnitLimit: (mask & 4) === 0 ? null : reader.u32(),
    loadedAccountsDataSizeLimit: (mask & 8) === 0 ? null : reader.u32(),
    heapSize: (mask & 16) === 0 ? null : reader.u32(),
  };
  const headers = Array.from({ length: instructionCount }, () => ({
    programIdIndex: reader.byte(),
    accounts: reader.byte(),
    data: reader.byte() + reader.byte() * 256,
  }));
  const instructions = headers.map((header) => ({
    programIdIndex: header.programIdIndex,
    accounts: reader.take(header.accounts),
    data: reader.take(header.data),
  }));
  reader.end();
  return {
    version: 1,
    bytes: reader.bytes,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticKeys,
    recentBlockhash,
    instructions,
    lookups: [],
    config,
  };
}

function sanitize(transaction: WireTransaction): void {
  sanitizeMessage(transaction.message);
  ensure(transaction.signatures.length === transaction.message.requiredSignatures);
}

function sanitizeMessage(message: WireMessage): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys } = message;
  ensure(requiredSignatures > readonlySigned);
  ensure(requiredSignatures + readonlyUnsigned <= staticKeys.length);
  let keys = staticKeys.length;
  for (const lookup of message.lookups) {
    const loaded = lookup.writableIndexes.length + lookup.readonlyIndexes.length;
    ensure(loaded > 0);
    keys += loaded;
  }
  ensure(keys <= MAXIMUM_ACCOUNTS);
  for (const instruction of message.instructions) {
    // A program may not come from a lookup table, nor pay the fee.
    ensure(instruction.programIdIndex > 0 && instruction.programIdIndex < staticKeys.length);
    ensure(instruction.accounts.every((index) => index < keys));
  }
  if (message.version === 1) {
    ensure(requiredSignatures <= VERSION_1_LIMITS.signatures);
    ensure(staticKeys.length <= VERSION_1_LIMITS.accounts);
    ensure(message.instructions.length <= VERSION_1_LIMITS.instructions);
    ensure(new Set(staticKeys.map(keyOf)).size === staticKeys.length);
  }
}

function ensure(holds: boolean): asserts holds {
  if (!holds) {
    throw new UnsanitaryTransaction('Transaction failed to sanitize accounts offsets correctly');
  }
}

/** Whether the message itself asks to write an account; `loadedWritable` counts the writable keys from tables. */
export function isWritable(message: WireMessage, index: number, loadedWritable: number): boolean {
  const staticCount = message.staticKeys.length;
  if (index >= staticCount) return index < staticCount + loadedWritable;
  return index < message.requiredSignatures
    ? index < message.requiredSignatures - message.readonlySigned
    : index < staticCount - message.readonlyUnsigned;
}

export function signatureText(transaction: WireTransaction): string {
  return base58(transaction.signatures[0] ?? new Uint8Array());
}

/** Reads bytes in order and never past their end. */
class Reader {
  readonly bytes: Uint8Array;
  #offset = 0;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  take(count: number): Uint8Array {
    const end = this.#offset + count;
    if (end > this.bytes.length) throw new MalformedTransaction('failed to fill whole buffer');
    const taken = this.bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  byte(): number {
    const value = this.bytes[this.#offset];
    if (value === undefined) throw new MalformedTransaction('failed to fill whole buffer');
    this.#offset += 1;
    return value;
  }

  u32(): number {
    return Buffer.from(this.take(4)).readUInt32LE();
  }

  u64(): bigint {
    return Buffer.from(this.take(8)).readBigUInt64LE();
  }

  /** A length in 1 to 3 bytes of 7 bits, written as short as possible: any other form would not serialize back. */
  length(): number {
    let value = 0;
    for (let position = 0; position < 3; position += 1) {
      const byte = this.byte();
      if (position > 0 && byte === 0) throw new MalformedTransaction('a length is not written shortest');
      value |= (byte & 0x7f) << (7 * position);
      if ((byte & 0x80) === 0) {
        if (value > 0xffff) throw new MalformedTransaction('a length is above 65535');
        return value;
      }
    }
    throw new MalformedTransaction('a length takes more than 3 bytes');
  }

  list<T>(read: () => T): T[] {
    const entries: T[] = [];
    for (let left = this.length(); left > 0; left -= 1) entries.push(read());
    return entries;
  }

  rest(): Uint8Array {
    return this.take(this.bytes.length - this.#offset);
  }

  end(): void {
    if (this.#offset !== this.bytes.length) throw new MalformedTransaction('bytes are left over');
  }
}
