/**
 * Reads and replaces the value of nonce accounts. web3.js does not report whether an account is initialized and has a
 * usable version.
 */
import { sha256 } from './bytes.ts';

/** Bytes of account data. */
export const NONCE_ACCOUNT_SIZE = 80;

/** All byte arrays are views into the account's data. */
export interface NonceAccount {
  readonly authority: Uint8Array;
  /** Value that replaces the recent blockhash in a durable transaction. */
  readonly value: Uint8Array;
  /** Price of a signature when the value was created. */
  readonly lamportsPerSignature: bigint;
}

const CURRENT_VERSION = 1;
const INITIALIZED = 1;
const AUTHORITY = 8;
const VALUE = 40;
const LAMPORTS_PER_SIGNATURE = 72;

/** Decodes an account of the system program; undefined unless it is a usable nonce. */
export function readNonceAccount(data: Uint8Array): NonceAccount | undefined {
  if (data.length !== NONCE_ACCOUNT_SIZE) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  // Transactions can no longer use accounts of version 0.
  if (view.getUint32(0, true) !== CURRENT_VERSION || view.getUint32(4, true) !== INITIALIZED) {
    return undefined;
  }
  return {
    authority: data.subarray(AUTHORITY, AUTHORITY + 32),
    value: data.subarray(VALUE, VALUE + 32),
    lamportsPerSignature: view.getBigUint64(LAMPORTS_PER_SIGNATURE, true),
  };
}

/** Copies a nonce account's data with another value, as an advance does. */
export function withNonceValue(
  data: Uint8Array,
  { value, lamportsPerSignature }: Omit<NonceAccount, 'authority'>,
): Uint8Array {
  const copy = Buffer.from(data);
  copy.set(value, VALUE);
  copy.writeBigUInt64LE(lamportsPerSignature, LAMPORTS_PER_SIGNATURE);
  return copy;
}

/** Value of a nonce account that is advanced while `blockhash` is the newest. */
export function nonceValueAfter(blockhash: Uint8Array): Uint8Array {
  return sha256('DURABLE_NONCE', blockhash);
}
