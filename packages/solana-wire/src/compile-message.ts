/** Compiles instructions into a legacy message, byte for byte as web3.js does it, only faster. */
import { ADDRESS_SIZE, addressBytes } from './address.ts';
import { SIGNATURE_SIZE } from './ed25519.ts';

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
