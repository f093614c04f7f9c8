/** Instructions compiled into a legacy message and put on the wire, byte for byte as web3.js does it, only faster. */
import bs58 from 'bs58';
import { ADDRESS_SIZE, addressBytes, addressOf } from './address.ts';
import { SIGNATURE_SIZE } from './ed25519.ts';

/** What one transaction may take on the wire, signatures included. */
export const PACKET_SIZE = 1232;

export interface AccountMeta {
  readonly address: string;
  readonly signer: boolean;
  readonly writable: boolean;
}

export interface Instruction {
  readonly program: string;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

export interface LegacyMessageInput {
  /** Address of the wallet that pays the fee; always the first signer. */
  readonly payer: string;
  readonly instructions: readonly Instruction[];
  /** Base58; with a durable nonce, the nonce's value. */
  readonly recentBlockhash: string;
}

export interface CompiledMessage {
  /** The bytes that are signed. */
  readonly bytes: Uint8Array;
  /** Addresses in the order of their signatures. */
  readonly signers: readonly string[];
  /** What the transaction takes on the wire with all its signatures. */
  readonly transactionSize: number;
}

interface AccountRole {
  readonly address: string;
  signer: boolean;
  writable: boolean;
}

/**
 * Compiles into the order of `TransactionMessage.compileToLegacyMessage`: by role, and within a role by first use,
 * an instruction's program before its accounts. Does not refuse what is too big for a packet: see `transactionSize`.
 */
export function compileLegacyMessage(input: LegacyMessageInput): CompiledMessage {
  const roles = collectRoles(input);
  const writableSigners = roles.filter((role) => role.signer && role.writable);
  const readonlySigners = roles.filter((role) => role.signer && !role.writable);
  const writableOthers = roles.filter((role) => !role.signer && role.writable);
  const readonlyOthers = roles.filter((role) => !role.signer && !role.writable);
  const ordered = [...writableSigners, ...readonlySigners, ...writableOthers, ...readonlyOthers];
  if (ordered.length > 256) throw new RangeError('a message has at most 256 accounts');
  const indexes = new Map(ordered.map((role, index) => [role.address, index]));
  const indexOf = (address: string) => indexes.get(address) ?? 0;

  const bytes = new Uint8Array(messageSize(ordered.length, input.instructions));
  bytes[0] = writableSigners.length + readonlySigners.length;
  bytes[1] = readonlySigners.length;
  bytes[2] = readonlyOthers.length;
  let offset = writeCompactU16(bytes, 3, ordered.length);
  for (const role of ordered) {
    bytes.set(addressBytes(role.address), offset);
    offset += ADDRESS_SIZE;
  }
  bytes.set(addressBytes(input.recentBlockhash), offset);
  offset = writeCompactU16(bytes, offset + ADDRESS_SIZE, input.instructions.length);
  for (const { program, accounts, data } of input.instructions) {
    bytes[offset] = indexOf(program);
    offset = writeCompactU16(bytes, offset + 1, accounts.length);
    for (const account of accounts) bytes[offset++] = indexOf(account.address);
    offset = writeCompactU16(bytes, offset, data.length);
    bytes.set(data, offset);
    offset += data.length;
  }
  const signers = [...writableSigners, ...readonlySigners].map((role) => role.address);
  return { bytes, signers, transactionSize: 1 + signers.length * SIGNATURE_SIZE + bytes.length };
}

/** The wire bytes of a message that nobody has signed yet: every signature is zero. */
export function unsignedTransaction(message: Uint8Array): Uint8Array {
  const count = message[0] ?? 0;
  const wire = new Uint8Array(1 + count * SIGNATURE_SIZE + message.length);
  wire[0] = count;
  wire.set(message, 1 + count * SIGNATURE_SIZE);
  return wire;
}

/**
 * The wire bytes of a message with a signature of each of its signers, by address. Throws a TypeError if one is
 * missing, is not 64 bytes, or belongs to no signer. The signatures themselves are not checked.
 */
export function signTransaction(
  message: Uint8Array,
  signatures: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const wire = unsignedTransaction(message);
  const signers = messageSigners(message);
  if (signatures.size !== signers.length) {
    throw new TypeError(`${signers.length} signatures are needed, not ${signatures.size}`);
  }
  signers.forEach((address, index) => {
    const signature = signatures.get(address);
    if (signature?.length !== SIGNATURE_SIZE) throw new TypeError(`no signature of ${address}`);
    wire.set(signature, 1 + index * SIGNATURE_SIZE);
  });
  return wire;
}

/** The signature that a transaction is known by, in base58: the first, its payer's. */
export function transactionSignature(wire: Uint8Array): string {
  return bs58.encode(wire.subarray(1, 1 + SIGNATURE_SIZE));
}

function messageSigners(message: Uint8Array): string[] {
  // One byte of account count: more than 127 accounts do not fit a packet.
  const start = 4;
  return Array.from({ length: message[0] ?? 0 }, (_, index) =>
    addressOf(message.subarray(start + index * ADDRESS_SIZE, start + (index + 1) * ADDRESS_SIZE)),
  );
}

function collectRoles({ payer, instructions }: LegacyMessageInput): AccountRole[] {
  const roles = new Map<string, AccountRole>();
  const roleOf = (address: string) => {
    const known = roles.get(address);
    if (known !== undefined) return known;
    const role = { address, signer: false, writable: false };
    roles.set(address, role);
    return role;
  };
  const payerRole = roleOf(payer);
  payerRole.signer = true;
  payerRole.writable = true;
  for (const { program, accounts } of instructions) {
    roleOf(program);
    for (const { address, signer, writable } of accounts) {
      const role = roleOf(address);
      role.signer ||= signer;
      role.writable ||= writable;
    }
  }
  return [...roles.values()];
}

function messageSize(accounts: number, instructions: readonly Instruction[]): number {
  let size =
    3 + compactU16Size(accounts) + (accounts + 1) * ADDRESS_SIZE + compactU16Size(instructions.length);
  for (const { accounts, data } of instructions) {
    size += 1 + compactU16Size(accounts.length) + accounts.length + compactU16Size(data.length) + data.length;
  }
  return size;
}

function compactU16Size(value: number): number {
  if (value > 0xffff) throw new RangeError('a count in a message has at most 16 bits');
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : 3;
}

function writeCompactU16(bytes: Uint8Array, offset: number, value: number): number {
  let next = offset;
  let rest = value;
  while (rest >= 0x80) {
    bytes[next++] = (rest & 0x7f) | 0x80;
    rest >>= 7;
  }
  bytes[next++] = rest;
  return next;
}
