/**
 * Reads and changes the value of nonce accounts. By hand, because web3.js does not say whether an account is initialized and of
 * the version that can be used.
 */
import { sha256 } from './bytes.ts';

/** Bytes; the account must hold the rent exemption for them. */
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
  // Accounts of version 0 cannot be used for transactions any more.
  if (view.getUint32(0, true) !== CURRENT_VERSION || view.getUint32(4, true) !== INITIALIZED) {
    return undefined;
  }
  return {
    authority: data.subarray(AUTHORITY, AUTHORITY + 32),
    value: data.subarray(VALUE, VALUE + 32),
    lamportsPerSignature: view.getBigUint64(LAMPORTS_PER_SIGNATURE, true),
  };
}

/** A copy of a nonce account's data with another value, as an advance leaves it. */
export function withNonceValue(
  data: Uint8Array,
  { value, lamportsPerSignature }: Omit<NonceAccount, 'authority'>,
): Uint8Array {
  const copy = Buffer.from(data);
  copy.set(value, VALUE);
  copy.writeBigUInt64LE(lamportsPerSignature, LAMPORTS_PER_SIGNATURE);
  return copy;
}

/** The value that an account takes when it is advanced while this is the newest blockhash. */
export function nonceValueAfter(blockhash: Uint8Array): Uint8Array {
  return sha256('DURABLE_NONCE', blockhash);
}
