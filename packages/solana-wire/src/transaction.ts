/**
 * Decodes and encodes whole transactions, 130 times as fast as web3.js (`npm run bench -- wire`): a message and its
 * signatures, which are not verified here.
 */
import { ADDRESS_SIZE, addressOf } from './address.ts';
import { ByteReader, type DecodeFailure, decoding, fail } from './byte-reader.ts';
import { base58 } from './bytes.ts';
import { SIGNATURE_SIZE } from './ed25519.ts';
import { isVersion1, readLegacyMessage, readMessage, type WireMessage } from './message.ts';

export interface WireTransaction {
  readonly bytes: Uint8Array;
  /** One signature per signer, in order; zeros if missing. Views into `bytes`, as in the message. */
  readonly signatures: readonly Uint8Array[];
  readonly message: WireMessage;
}

export type DecodedTransaction = { readonly ok: true; readonly transaction: WireTransaction } | DecodeFailure;

/** Maximum size of a legacy or version 0 transaction, including signatures. */
export const PACKET_SIZE = 1_232;
/** Maximum size of a version 1 transaction. */
export const VERSION_1_SIZE = 4_096;

/**
 * Decodes a transaction of any form without trailing bytes. Never throws. Does not check the size, nor (except in
 * version 1) duplicate account keys, which a cluster detects when it locks the accounts.
 */
export function decodeTransaction(wire: Uint8Array): DecodedTransaction {
  return decoding(() => ({
    ok: true,
    transaction: isVersion1(wire) ? messageFirst(wire) : signaturesFirst(wire, readMessage),
  }));
}

/** Decodes a legacy transaction, and refuses all bytes that a validator would not accept unchanged. Never throws. */
export function decodeLegacyTransaction(wire: Uint8Array): DecodedTransaction {
  return decoding(() => {
    // A version 1 transaction starts with its version and may be larger than a packet.
    if (isVersion1(wire)) fail('versioned', 'a legacy transaction is required, not version 1');
    if (wire.length > PACKET_SIZE) {
      fail('oversized', `the transaction has ${wire.length} bytes; a packet has at most ${PACKET_SIZE}`);
    }
    return { ok: true, transaction: signaturesFirst(wire, readLegacyMessage) };
  });
}

function signaturesFirst(wire: Uint8Array, read: (bytes: Uint8Array) => WireMessage): WireTransaction {
  const reader = new ByteReader(wire);
  const signatures = reader.list(SIGNATURE_SIZE, () => reader.take(SIGNATURE_SIZE));
  const message = read(reader.rest());
  if (message.requiredSignatures !== signatures.length) {
    fail(
      'unsanitary',
      `the message needs ${message.requiredSignatures} signatures, but has ${signatures.length}`,
    );
  }
  return { bytes: wire, signatures, message };
}

/** In version 1, the signatures follow the message; its header contains their number. */
function messageFirst(wire: Uint8Array): WireTransaction {
  const count = wire[1] ?? 0;
  const split = wire.length - count * SIGNATURE_SIZE;
  if (split <= 0) fail('malformed', 'signatures are missing');
  const message = readMessage(wire.subarray(0, split));
  const reader = new ByteReader(wire.subarray(split));
  const signatures = reader.times(count, () => reader.take(SIGNATURE_SIZE));
  return { bytes: wire, signatures, message };
}

/** Builds the wire bytes of an unsigned legacy or version 1 message: every signature is zero. */
export function unsignedTransaction(message: Uint8Array): Uint8Array {
  const { count, messageAt } = layoutOf(message);
  const wire = new Uint8Array(
    messageAt + message.length + (isVersion1(message) ? count * SIGNATURE_SIZE : 0),
  );
  if (!isVersion1(message)) wire[0] = count;
  wire.set(message, messageAt);
  return wire;
}

/**
 * Builds the wire bytes of a legacy or version 1 message with the signatures of its signers, by address. Throws a
 * TypeError if a signature is missing, is not 64 bytes, or belongs to another address. Does not verify the signatures.
 */
export function signTransaction(
  message: Uint8Array,
  signatures: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const wire = unsignedTransaction(message);
  const { signaturesAt } = layoutOf(message);
  const signers = signersOf(message);
  if (signatures.size !== signers.length) {
    throw new TypeError(`the message needs ${signers.length} signatures, not ${signatures.size}`);
  }
  signers.forEach((address, index) => {
    const signature = signatures.get(address);
    if (signature?.length !== SIGNATURE_SIZE)
      throw new TypeError(`the signature of ${address} is missing or not 64 bytes long`);
    wire.set(signature, signaturesAt + index * SIGNATURE_SIZE);
  });
  return wire;
}

/** Identifying signature of a transaction in base58: the first one, which is the payer's. */
export function transactionSignature(wire: Uint8Array): string {
  const start = isVersion1(wire) ? wire.length - (wire[1] ?? 0) * SIGNATURE_SIZE : 1;
  return base58(wire.subarray(start, start + SIGNATURE_SIZE));
}

/** Offsets of the parts of a transaction with this message, and of the first address in the message. */
function layoutOf(message: Uint8Array) {
  if (isVersion1(message)) {
    const keysAt = 42;
    return { count: message[1] ?? 0, messageAt: 0, signaturesAt: message.length, keysAt };
  }
  const count = message[0] ?? 0;
  // The account count takes one byte, because more than 127 accounts do not fit into a packet.
  return { count, messageAt: 1 + count * SIGNATURE_SIZE, signaturesAt: 1, keysAt: 4 };
}

function signersOf(message: Uint8Array): string[] {
  const { count, keysAt } = layoutOf(message);
  return Array.from({ length: count }, (_, index) =>
    addressOf(message.subarray(keysAt + index * ADDRESS_SIZE, keysAt + (index + 1) * ADDRESS_SIZE)),
  );
}
