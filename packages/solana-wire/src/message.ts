/**
 * Decodes messages (the signed part of a transaction) without libraries: 130 times as fast as web3.js (`npm run bench
 * -- wire`). Supports the legacy form, version 0 (with lookup tables) and version 1 (SIMD-0385). Accepts only bytes
 * that a serializer would write and a cluster would sanitize.
 */
import { ADDRESS_SIZE } from './address.ts';
import { ByteReader, type DecodeFailure, decoding, fail } from './byte-reader.ts';
import { keyOf } from './bytes.ts';

/** All byte arrays are views into the input. */
export interface WireMessage {
  readonly version: 'legacy' | 0 | 1;
  /** Signed bytes. */
  readonly bytes: Uint8Array;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  /** Keys in the message itself: signers first, with the payer at index 0. Lookup tables add more. */
  readonly accountKeys: readonly Uint8Array[];
  readonly recentBlockhash: Uint8Array;
  readonly instructions: readonly CompiledInstruction[];
  /** Only in version 0; otherwise empty. */
  readonly lookups: readonly AddressTableLookup[];
  /** Version 1 only. */
  readonly config: TransactionConfig | undefined;
}

export interface CompiledInstruction {
  readonly programIndex: number;
  readonly accountIndexes: Uint8Array;
  readonly data: Uint8Array;
}

export interface AddressTableLookup {
  readonly table: Uint8Array;
  readonly writableIndexes: Uint8Array;
  readonly readonlyIndexes: Uint8Array;
}

/** Compute budget in a version 1 message; null for omitted values. */
export interface TransactionConfig {
  readonly priorityFee: bigint | null;
  readonly computeUnitLimit: number | null;
  readonly loadedAccountsDataSizeLimit: number | null;
  readonly heapSize: number | null;
}

export type DecodedMessage = { readonly ok: true; readonly message: WireMessage } | DecodeFailure;

const VERSION_FLAG = 0x80;
/** First byte of a version 1 message. */
export const VERSION_1_BYTE = VERSION_FLAG | 1;
const MAXIMUM_ACCOUNTS = 256;
/** Minimum bytes of an instruction: program, account count and data length. */
const SMALLEST_INSTRUCTION = 3;
/** Minimum bytes of a lookup: table and two index counts. */
const SMALLEST_LOOKUP = ADDRESS_SIZE + 2;
/** Limits of SIMD-0385. */
export const VERSION_1_LIMITS = { signatures: 12, accounts: 64, instructions: 64 };

/** Decodes signed bytes of any form without trailing bytes. Never throws. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  return decoding(() => ({ ok: true, message: readMessage(bytes) }));
}

/** Variant of `decodeMessage` for the legacy form only and without duplicate account keys. */
export function decodeLegacyMessage(bytes: Uint8Array): DecodedMessage {
  return decoding(() => ({ ok: true, message: readLegacyMessage(bytes) }));
}

/** True if these bytes, of a message or of a whole transaction, start like version 1. */
export function isVersion1(bytes: Uint8Array): boolean {
  return bytes[0] === VERSION_1_BYTE;
}

/** True if the message requests write access to an account; `loadedWritable` is the number of writable keys from tables. */
export function isWritable(message: WireMessage, index: number, loadedWritable: number): boolean {
  const count = message.accountKeys.length;
  if (index >= count) return index < count + loadedWritable;
  return index < message.requiredSignatures
    ? index < message.requiredSignatures - message.readonlySigned
    : index < count - message.readonlyUnsigned;
}

/** Call it within `decoding`. */
export function readMessage(bytes: Uint8Array): WireMessage {
  const message = parseMessage(new ByteReader(bytes));
  requireSanitary(message);
  if (message.version === 1) requireVersion1Limits(message);
  return message;
}

/** Call it within `decoding`. */
export function readLegacyMessage(bytes: Uint8Array): WireMessage {
  const first = bytes[0] ?? 0;
  if (first >= VERSION_FLAG) {
    fail('versioned', `a legacy message is required, not version ${first & ~VERSION_FLAG}`);
  }
  const message = readMessage(bytes);
  // A cluster sanitizes such a message, but then cannot lock its accounts.
  requireDistinctKeys(message);
  return message;
}

function parseMessage(reader: ByteReader): WireMessage {
  const first = reader.byte();
  if (first < VERSION_FLAG) return parseCompact(reader, 'legacy', first);
  if (first === VERSION_FLAG) return parseCompact(reader, 0, reader.byte());
  if (first === VERSION_1_BYTE) return parseVersion1(reader);
  return fail('malformed', `message version ${first & ~VERSION_FLAG} is not supported`);
}

function parseCompact(reader: ByteReader, version: 'legacy' | 0, requiredSignatures: number): WireMessage {
  const readonlySigned = reader.byte();
  const readonlyUnsigned = reader.byte();
  const accountKeys = reader.list(ADDRESS_SIZE, () => reader.take(ADDRESS_SIZE));
  const recentBlockhash = reader.take(ADDRESS_SIZE);
  const instructions = reader.list(SMALLEST_INSTRUCTION, () => ({
    programIndex: reader.byte(),
    accountIndexes: reader.byteList(),
    data: reader.byteList(),
  }));
  const lookups = version === 'legacy' ? [] : reader.list(SMALLEST_LOOKUP, () => parseLookup(reader));
  reader.end();
  return {
    version,
    bytes: reader.bytes,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    accountKeys,
    recentBlockhash,
    instructions,
    lookups,
    config: undefined,
  };
}

function parseLookup(reader: ByteReader): AddressTableLookup {
  return {
    table: reader.take(ADDRESS_SIZE),
    writableIndexes: reader.byteList(),
    readonlyIndexes: reader.byteList(),
  };
}

function parseVersion1(reader: ByteReader): WireMessage {
  const requiredSignatures = reader.byte();
  const readonlySigned = reader.byte();
  const readonlyUnsigned = reader.byte();
  const mask = reader.u32();
  // Two bits stand for the priority fee; both must be set or neither.
  if ((mask & ~0x1f) !== 0 || (mask & 3) === 1 || (mask & 3) === 2) {
    fail('malformed', 'the configuration mask is invalid');
  }
  const recentBlockhash = reader.take(ADDRESS_SIZE);
  const instructionCount = reader.byte();
  const keyCount = reader.byte();
  const accountKeys = reader.times(keyCount, () => reader.take(ADDRESS_SIZE));
  const config = {
    priorityFee: (mask & 3) === 0 ? null : reader.u64(),
    computeUnitLimit: (mask & 4) === 0 ? null : reader.u32(),
    loadedAccountsDataSizeLimit: (mask & 8) === 0 ? null : reader.u32(),
    heapSize: (mask & 16) === 0 ? null : reader.u32(),
  };
  const headers = reader.times(instructionCount, () => ({
    programIndex: reader.byte(),
    accountCount: reader.byte(),
    dataLength: reader.u16(),
  }));
  const instructions = headers.map(({ programIndex, accountCount, dataLength }) => ({
    programIndex,
    accountIndexes: reader.take(accountCount),
    data: reader.take(dataLength),
  }));
  reader.end();
  return {
    version: 1,
    bytes: reader.bytes,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    accountKeys,
    recentBlockhash,
    instructions,
    lookups: [],
    config,
  };
}

function requireSanitary(message: WireMessage): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys } = message;
  // The payer's account is debited, so at least one signer must be writable.
  if (readonlySigned >= requiredSignatures) fail('unsanitary', 'a writable signer must pay the fee');
  if (requiredSignatures + readonlyUnsigned > accountKeys.length) {
    fail('unsanitary', 'the header counts more accounts than the message has');
  }
  let count = accountKeys.length;
  for (const { writableIndexes, readonlyIndexes } of message.lookups) {
    const loaded = writableIndexes.length + readonlyIndexes.length;
    if (loaded === 0) fail('unsanitary', 'a lookup table must have at least one index');
    count += loaded;
  }
  if (count > MAXIMUM_ACCOUNTS) fail('unsanitary', `more than ${MAXIMUM_ACCOUNTS} accounts`);
  for (const { programIndex, accountIndexes } of message.instructions) {
    if (programIndex === 0) fail('unsanitary', 'the payer cannot be a program');
    // A program must not come from a lookup table.
    let isThere = programIndex < accountKeys.length;
    for (const index of accountIndexes) isThere &&= index < count;
    if (!isThere) fail('unsanitary', 'an account index of an instruction is out of range');
  }
}

function requireVersion1Limits(message: WireMessage): void {
  const { signatures, accounts, instructions } = VERSION_1_LIMITS;
  if (message.requiredSignatures > signatures) fail('unsanitary', `more than ${signatures} signatures`);
  if (message.accountKeys.length > accounts) fail('unsanitary', `more than ${accounts} accounts`);
  if (message.instructions.length > instructions)
    fail('unsanitary', `more than ${instructions} instructions`);
  requireDistinctKeys(message);
}

function requireDistinctKeys({ accountKeys }: WireMessage): void {
  if (new Set(accountKeys.map(keyOf)).size !== accountKeys.length) {
    fail('unsanitary', 'an account key is repeated');
  }
}
