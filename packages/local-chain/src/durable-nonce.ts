/** Durable nonces: how an account holds a value, and when a transaction may use it instead of a recent blockhash. */
import { SYSTEM_PROGRAM } from './addresses.ts';
import { keyOf, sameBytes, sha256 } from './bytes.ts';
import { isWritable, type WireMessage } from './wire-transaction.ts';

const NONCE_ACCOUNT_SIZE = 80;
const CURRENT_VERSION = 1;
const INITIALIZED = 1;
const ADVANCE_NONCE_ACCOUNT = 4;
const LAMPORTS_PER_SIGNATURE = 5_000n;

export interface NonceState {
  readonly authority: Uint8Array;
  readonly value: Uint8Array;
  readonly lamportsPerSignature: bigint;
}

/** Undefined unless the account is an initialized nonce account. */
export function readNonce(owner: Uint8Array, data: Uint8Array): NonceState | undefined {
  if (data.length !== NONCE_ACCOUNT_SIZE || !sameBytes(owner, SYSTEM_PROGRAM)) return undefined;
  const view = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (view.readUInt32LE(0) !== CURRENT_VERSION || view.readUInt32LE(4) !== INITIALIZED) return undefined;
  return {
    authority: data.subarray(8, 40),
    value: data.subarray(40, 72),
    lamportsPerSignature: view.readBigUInt64LE(72),
  };
}

/** The account's data with another value, as an advance leaves it. */
export function withNonceValue(data: Uint8Array, value: Uint8Array): Uint8Array {
  const copy = Buffer.from(data);
  copy.set(value, 40);
  copy.writeBigUInt64LE(LAMPORTS_PER_SIGNATURE, 72);
  return copy;
}

/** The value that an account takes when it is advanced in the block of `blockhash`. */
export function nonceValueOf(blockhash: Uint8Array): Uint8Array {
  return sha256('DURABLE_NONCE', blockhash);
}

/** The nonce account that the message's first instruction advances, and who signs that instruction. */
export function nonceOf(
  message: WireMessage,
): { readonly address: Uint8Array; readonly signers: ReadonlySet<string> } | undefined {
  const first = message.instructions[0];
  if (first === undefined) return undefined;
  const program = message.staticKeys[first.programIdIndex];
  if (program === undefined || !sameBytes(program, SYSTEM_PROGRAM)) return undefined;
  if (first.data.length < 4 || Buffer.from(first.data).readUInt32LE(0) !== ADVANCE_NONCE_ACCOUNT) {
    return undefined;
  }
  const index = first.accounts[0];
  if (index === undefined || !isWritable(message, index, 0)) return undefined;
  const address = message.staticKeys[index];
  if (address === undefined) return undefined;
  const signers = new Set<string>();
  for (const account of first.accounts) {
    const key = message.staticKeys[account];
    if (account < message.requiredSignatures && key !== undefined) signers.add(keyOf(key));
  }
  return { address, signers };
}
