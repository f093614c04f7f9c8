/** Reads a legacy transaction off the wire, and refuses every form that a validator would not take just so. */
import { ADDRESS_SIZE } from './address.ts';
import { SIGNATURE_SIZE } from './ed25519.ts';
import { PACKET_SIZE } from './legacy-message.ts';

/** All byte arrays are views into what was decoded. */
export interface LegacyMessage {
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  /** Signers first; the first of them pays. No key is there twice. */
  readonly accountKeys: readonly Uint8Array[];
  readonly recentBlockhash: Uint8Array;
  readonly instructions: readonly CompiledInstruction[];
}

export interface CompiledInstruction {
  readonly programIndex: number;
  readonly accountIndexes: Uint8Array;
  readonly data: Uint8Array;
}

export interface LegacyTransaction {
  /** One for each signer, in order; zeros where nobody signed yet. */
  readonly signatures: readonly Uint8Array[];
  readonly message: LegacyMessage;
  /** What the signatures sign. */
  readonly messageBytes: Uint8Array;
}

export type DecodeProblem = 'oversized' | 'versioned' | 'truncated' | 'trailing-bytes' | 'malformed';

export interface DecodeFailure {
  readonly ok: false;
  readonly problem: DecodeProblem;
  /** A sentence for the caller. */
  readonly reason: string;
}

export type DecodedTransaction =
  | { readonly ok: true; readonly transaction: LegacyTransaction }
  | DecodeFailure;
export type DecodedMessage = { readonly ok: true; readonly message: LegacyMessage } | DecodeFailure;

/** Decodes a whole wire transaction; nothing may be left over. Never throws, does not check signatures. */
export function decodeTransaction(wire: Uint8Array): DecodedTransaction {
  return decoding(() => {
    // A version 1 transaction starts with its version and may be larger than a packet.
    if (wire[0] === 0x81) fail('versioned', 'a version 1 transaction where a legacy one is needed');
    if (wire.length > PACKET_SIZE)
      fail('oversized', `${wire.length} bytes where a packet takes ${PACKET_SIZE}`);
    const reader = new Reader(wire);
    const count = reader.compactU16();
    const signatures = Array.from({ length: reader.fitting(count, SIGNATURE_SIZE) }, () =>
      reader.bytes(SIGNATURE_SIZE),
    );
    const messageBytes = wire.subarray(reader.offset);
    const message = readMessage(messageBytes);
    if (message.requiredSignatures !== count) {
      fail('malformed', `${count} signatures where the message needs ${message.requiredSignatures}`);
    }
    return { ok: true, transaction: { signatures, message, messageBytes } };
  });
}

/** Decodes the bytes that are signed; nothing may be left over. Never throws. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  return decoding(() => ({ ok: true, message: readMessage(bytes) }));
}

function readMessage(bytes: Uint8Array): LegacyMessage {
  const reader = new Reader(bytes);
  const requiredSignatures = reader.byte();
  if (requiredSignatures >= 0x80) {
    fail('versioned', `a version ${requiredSignatures & 0x7f} message where a legacy one is needed`);
  }
  const readonlySigned = reader.byte();
  const readonlyUnsigned = reader.byte();
  const accountCount = reader.fitting(reader.compactU16(), ADDRESS_SIZE);
  const accountKeys = Array.from({ length: accountCount }, () => reader.bytes(ADDRESS_SIZE));
  const recentBlockhash = reader.bytes(ADDRESS_SIZE);
  // An instruction has at least a program, an account count and a data length.
  const instructionCount = reader.fitting(reader.compactU16(), 3);
  const instructions = Array.from({ length: instructionCount }, () => ({
    programIndex: reader.byte(),
    accountIndexes: reader.bytes(reader.compactU16()),
    data: reader.bytes(reader.compactU16()),
  }));
  if (reader.remaining > 0) fail('trailing-bytes', `${reader.remaining} bytes after the end of the message`);
  const message = {
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    accountKeys,
    recentBlockhash,
    instructions,
  };
  requireSound(message);
  return message;
}

function requireSound(message: LegacyMessage): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys, instructions } = message;
  // The payer's account is debited, so that not every signer can be readonly.
  if (readonlySigned >= requiredSignatures) fail('malformed', 'no writable signer that could pay');
  if (requiredSignatures + readonlyUnsigned > accountKeys.length) {
    fail('malformed', 'the header counts more accounts than there are');
  }
  const distinct = new Set(accountKeys.map((key) => Buffer.from(key).toString('latin1')));
  if (distinct.size !== accountKeys.length) fail('malformed', 'an account key is there twice');
  for (const { programIndex, accountIndexes } of instructions) {
    if (programIndex === 0) fail('malformed', 'the payer cannot be a program');
    if (programIndex >= accountKeys.length || accountIndexes.some((index) => index >= accountKeys.length)) {
      fail('malformed', 'an instruction refers to an account that is not there');
    }
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get remaining(): number {
    return this.#bytes.length - this.offset;
  }

  byte(): number {
    const value = this.#bytes[this.offset];
    if (value === undefined) return fail('truncated', 'the transaction ends too early');
    this.offset += 1;
    return value;
  }

  bytes(length: number): Uint8Array {
    if (length > this.remaining) fail('truncated', 'the transaction ends too early');
    this.offset += length;
    return this.#bytes.subarray(this.offset - length, this.offset);
  }

  /** The count itself if as many items can still follow. */
  fitting(count: number, itemSize: number): number {
    if (count * itemSize > this.remaining) fail('truncated', 'the transaction ends too early');
    return count;
  }

  /** Little-endian groups of seven bits, at most 16 bits, in the shortest form only. */
  compactU16(): number {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * index);
      if (byte < 0x80) {
        if (byte === 0 && index > 0) fail('malformed', 'a count is not in its shortest form');
        if (value > 0xffff) fail('malformed', 'a count has more than 16 bits');
        return value;
      }
    }
    return fail('malformed', 'a count has more than 16 bits');
  }
}

class Undecodable extends Error {
  readonly failure: DecodeFailure;

  constructor(failure: DecodeFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

function fail(problem: DecodeProblem, reason: string): never {
  throw new Undecodable({ ok: false, problem, reason });
}

function decoding<T>(read: () => T): T | DecodeFailure {
  try {
    return read();
  } catch (error) {
    if (error instanceof Undecodable) return error.failure;
    throw error;
  }
}
