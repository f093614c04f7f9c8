/**
 * Reads and writes whole transactions by hand, 130 times as fast as web3.js (`npm run bench -- wire`): a message and its
 * signatures, which are not checked here.
 */
import { ADDRESS_SIZE, addressOf } from './address.ts';
import { ByteReader, type DecodeFailure, decoding, fail } from './byte-reader.ts';
import { base58 } from './bytes.ts';
import { SIGNATURE_SIZE } from './ed25519.ts';
import { isVersion1, readLegacyMessage, readMessage, type WireMessage } from './message.ts';

export interface WireTransaction {
  readonly bytes: Uint8Array;
  /** One for each signer, in order; zeros where nobody signed yet. Views, as everything in the message. */
  readonly signatures: readonly Uint8Array[];
  readonly message: WireMessage;
}

export type DecodedTransaction = { readonly ok: true; readonly transaction: WireTransaction } | DecodeFailure;

/** Maximum size of a transaction of the legacy form or of version 0, signatures included. */
export const PACKET_SIZE = 1_232;
/** Maximum size of a transaction of version 1. */
export const VERSION_1_SIZE = 4_096;

/**
 * Decodes a transaction of any form; nothing may be left over. Never throws. Does not look at the size, nor, but in
 * version 1, at whether an account key is there twice: a cluster finds that out when it locks the accounts.
 */
export function decodeTransaction(wire: Uint8Array): DecodedTransaction {
  return decoding(() => ({
    ok: true,
    transaction: isVersion1(wire) ? messageFirst(wire) : signaturesFirst(wire, readMessage),
  }));
}

/** Decodes a transaction of the legacy form, and refuses whatever a validator would not take just so. Never throws. */
export function decodeLegacyTransaction(wire: Uint8Array): DecodedTransaction {
  return decoding(() => {
    // A version 1 transaction starts with its version and may be larger than a packet.
    if (isVersion1(wire)) fail('versioned', 'a version 1 transaction where a legacy one is needed');
    if (wire.length > PACKET_SIZE) {
      fail('oversized', `${wire.length} bytes where a packet takes ${PACKET_SIZE}`);
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
      `${signatures.length} signatures where the message needs ${message.requiredSignatures}`,
    );
  }
  return { bytes: wire, signatures, message };
}

/** Version 1 has its signatures behind the message, as many as its header says. */
function messageFirst(wire: Uint8Array): WireTransaction {
  const count = wire[1] ?? 0;
  const split = wire.length - count * SIGNATURE_SIZE;
  if (split <= 0) fail('malformed', 'signatures are missing');
  const message = readMessage(wire.subarray(0, split));
  const reader = new ByteReader(wire.subarray(split));
  const signatures = reader.times(count, () => reader.take(SIGNATURE_SIZE));
  return { bytes: wire, signatures, message };
}

/** The wire bytes of a legacy or version 1 message that nobody has signed yet: every signature is zero. */
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
 * The wire bytes of a legacy or version 1 message with a signature of each of its signers, by address. Throws a
 * TypeError if one is missing, is not 64 bytes, or belongs to no signer. The signatures themselves are not checked.
 */
export function signTransaction(
  message: Uint8Array,
  signatures: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const wire = unsignedTransaction(message);
  const { signaturesAt } = layoutOf(message);
  const signers = signersOf(message);
  if (signatures.size !== signers.length) {
    throw new TypeError(`${signers.length} signatures are needed, not ${signatures.size}`);
  }
  signers.forEach((address, index) => {
    const signature = signatures.get(address);
    if (signature?.length !== SIGNATURE_SIZE) throw new TypeError(`no signature of ${address}`);
    wire.set(signature, signaturesAt + index * SIGNATURE_SIZE);
  });
  return wire;
}

/** The signature that a transaction is known by, in base58: the first, its payer's. */
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
  // One byte of account count: more than 127 accounts do not fit a packet.
  return { count, messageAt: 1 + count * SIGNATURE_SIZE, signaturesAt: 1, keysAt: 4 };
}

function signersOf(message: Uint8Array): string[] {
  const { count, keysAt } = layoutOf(message);
  return Array.from({ length: count }, (_, index) =>
    addressOf(message.subarray(keysAt + index * ADDRESS_SIZE, keysAt + (index + 1) * ADDRESS_SIZE)),
  );
}
