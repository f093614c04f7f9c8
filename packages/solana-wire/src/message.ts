/**
 * Reads messages, the part of a transaction that is signed, by hand: 130 times as fast as web3.js (`npm run bench -- wire`). In their
 * three forms: legacy, version 0 (with lookup tables) and version 1 (SIMD-0385). Accepted is only what a serializer would have written, byte for byte, and what a cluster would
 * sanitize.
 */
import { ADDRESS_SIZE } from './address.ts';
import { ByteReader, type DecodeFailure, decoding, fail } from './byte-reader.ts';
import { keyOf } from './bytes.ts';

/** All byte arrays are views into what was decoded. */
export interface WireMessage {
  readonly version: 'legacy' | 0 | 1;
  /** The signed bytes. */
  readonly bytes: Uint8Array;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  /** Keys in the message itself: signers first, the first of them pays. Lookup tables add more. */
  readonly accountKeys: readonly Uint8Array[];
  readonly recentBlockhash: Uint8Array;
  readonly instructions: readonly CompiledInstruction[];
  /** Empty but in version 0. */
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

/** Version 1 carries its compute budget itself; null where the message leaves a value open. */
export interface TransactionConfig {
  readonly priorityFee: bigint | null;
  readonly computeUnitLimit: number | null;
  readonly loadedAccountsDataSizeLimit: number | null;
  readonly heapSize: number | null;
}

export type DecodedMessage = { readonly ok: true; readonly message: WireMessage } | DecodeFailure;

const VERSION_FLAG = 0x80;
/** First byte of a message of version 1. */
export const VERSION_1_BYTE = VERSION_FLAG | 1;
const MAXIMUM_ACCOUNTS = 256;
/** A program, a count of accounts and a length of data. */
const SMALLEST_INSTRUCTION = 3;
/** A table and two counts of indexes. */
const SMALLEST_LOOKUP = ADDRESS_SIZE + 2;
/** SIMD-0385. */
export const VERSION_1_LIMITS = { signatures: 12, accounts: 64, instructions: 64 };

/** Decodes the bytes that are signed, of any form; nothing may be left over. Never throws. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  return decoding(() => ({ ok: true, message: readMessage(bytes) }));
}

/** Like `decodeMessage`, for the legacy form only and without duplicate account keys. */
export function decodeLegacyMessage(bytes: Uint8Array): DecodedMessage {
  return decoding(() => ({ ok: true, message: readLegacyMessage(bytes) }));
}

/** True if these bytes, of a message or of a whole transaction, begin like version 1. */
export function isVersion1(bytes: Uint8Array): boolean {
  return bytes[0] === VERSION_1_BYTE;
}

/** True if the message requests write access to an account; `loadedWritable` counts the writable keys from tables. */
export function isWritable(message: WireMessage, index: number, loadedWritable: number): boolean {
  const count = message.accountKeys.length;
  if (index >= count) return index < count + loadedWritable;
  return index < message.requiredSignatures
    ? index < message.requiredSignatures - message.readonlySigned
    : index < count - message.readonlyUnsigned;
}

/** For `decoding`. */
export function readMessage(bytes: Uint8Array): WireMessage {
  const message = parseMessage(new ByteReader(bytes));
  requireSanitary(message);
  if (message.version === 1) requireVersion1Limits(message);
  return message;
}

/** For `decoding`. */
export function readLegacyMessage(bytes: Uint8Array): WireMessage {
  const first = bytes[0] ?? 0;
  if (first >= VERSION_FLAG) {
    fail('versioned', `a version ${first & ~VERSION_FLAG} message where a legacy one is needed`);
  }
  const message = readMessage(bytes);
  // A cluster sanitizes such a message, and then cannot lock its accounts.
  requireDistinctKeys(message);
  return message;
}

function parseMessage(reader: ByteReader): WireMessage {
  const first = reader.byte();
  if (first < VERSION_FLAG) return parseCompact(reader, 'legacy', first);
  if (first === VERSION_FLAG) return parseCompact(reader, 0, reader.byte());
  if (first === VERSION_1_BYTE) return parseVersion1(reader);
  return fail('malformed', `message version ${first & ~VERSION_FLAG} is unknown`);
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
  // The priority fee takes two bits, which are set together.
  if ((mask & ~0x1f) !== 0 || (mask & 3) === 1 || (mask & 3) === 2) {
    fail('malformed', 'the configuration mask is unknown');
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
  // The payer's account is debited, so that not every signer can be readonly.
  if (readonlySigned >= requiredSignatures) fail('unsanitary', 'no writable signer that could pay');
  if (requiredSignatures + readonlyUnsigned > accountKeys.length) {
    fail('unsanitary', 'the header counts more accounts than there are');
  }
  let count = accountKeys.length;
  for (const { writableIndexes, readonlyIndexes } of message.lookups) {
    const loaded = writableIndexes.length + readonlyIndexes.length;
    if (loaded === 0) fail('unsanitary', 'a lookup table is named for no account');
    count += loaded;
  }
  if (count > MAXIMUM_ACCOUNTS) fail('unsanitary', `more than ${MAXIMUM_ACCOUNTS} accounts`);
  for (const { programIndex, accountIndexes } of message.instructions) {
    if (programIndex === 0) fail('unsanitary', 'the payer cannot be a program');
    // A program may not come from a lookup table.
    let isThere = programIndex < accountKeys.length;
    for (const index of accountIndexes) isThere &&= index < count;
    if (!isThere) fail('unsanitary', 'an instruction refers to an account that is not there');
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
    fail('unsanitary', 'an account key is there twice');
  }
}
